import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { ScenarioName } from '#contracts/mock/scenarios.ts'
import { attachEvidence } from '#e2e/fixture/evidence.ts'
import { formatUnused, formatViolations } from '#e2e/fixture/verdicts.ts'
import { openWorldCalls, type WorldCalls } from '#e2e/fixture/world-calls.ts'
import { type RunningServer, startServer } from './index.ts'

export type { ScenarioName }

type ClockCalls = WorldCalls['clock']
type Leap = Awaited<ReturnType<ClockCalls['advance']>>

/** The world of one test. */
export type VitestWorld = Omit<WorldCalls, 'clock'> & {
  clock: {
    now(): Promise<Date>
    /** Moves by an ISO 8601 duration such as `PT5M` or `P3D` and runs the jobs that fall due on the way. */
    advance(by: string): Promise<Leap>
    /** Moves to the next event of a kind. */
    until(event: Parameters<ClockCalls['until']>[0]['body']['event']): Promise<Leap>
    set(setting: Parameters<ClockCalls['put']>[0]['body']): ReturnType<ClockCalls['put']>
  }
  /** Sends a request to this world; paths are those of the server. Other origins are reached as usual. */
  fetch: typeof fetch
}

export type WorldFixtures = {
  /** Scenario of the world: one of the server, or of the folder with which it was started. */
  scenario: ScenarioName
  /** Seed of generated ids and random outcomes. */
  seed: number
  /** Trackers of a scenario that has a size, such as `crowd`. */
  size: number | undefined
  /** Snapshot that the world begins from, instead of its scenario. */
  from: string | undefined
  /** Allow violations in tests of a backend that breaks its contract. */
  violations: 'forbidden' | 'allowed'
  /** Address of the server; by default the one that the global setup started, or `WHEREABOUTS_URL`. */
  server: string
  world: VitestWorld
}

/** The parts of a Vitest test that the fixture reads. */
type Task = { id: string; name: string; result?: { state?: string } | undefined }
type Context = Omit<WorldFixtures, 'world'> & { task: Task }

/** A test may replace the global `fetch`, for example by that of its world; the fixture must still reach the server. */
const send = globalThis.fetch

/** Folder for the evidence of failed tests, below the folder in which Vitest runs. */
const RESULTS = 'test-results'

/** Gives each test its own world: `test.extend<WorldFixtures>(fixtures)`. Imports nothing of Vitest, so that any suite uses its own copy. */
export const fixtures = {
  scenario: 'family' as ScenarioName,
  seed: 1,
  size: undefined as number | undefined,
  from: undefined as string | undefined,
  violations: 'forbidden' as WorldFixtures['violations'],
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs.
  server: async ({}: object, use: (server: string) => Promise<void>) => use(process.env.WHEREABOUTS_URL ?? 'http://localhost:8080'),
  world: async ({ task, server, scenario, size, seed, from, violations }: Context, use: (world: VitestWorld) => Promise<void>) => {
    const { world: calls } = await openWorldCalls({ server, scenario, size, seed, from, fetch: send })
    await use(createWorld(calls, server))
    const violationReport = violations === 'allowed' ? '' : formatViolations(await calls.violations.list())
    if (violationReport || task.result?.state === 'fail') await saveEvidence(calls, server, task)
    for (const fault of await calls.faults.unused()) console.warn(`${task.name}: a fault had no effect. ${formatUnused(fault)}`)
    await calls.worlds.remove({ params: { id: calls.id } })
    if (violationReport) throw new Error(violationReport)
  },
}

function createWorld(calls: WorldCalls, server: string): VitestWorld {
  const { clock } = calls
  return {
    ...calls,
    clock: {
      now: async () => new Date((await clock.read()).now),
      advance: (by) => clock.advance({ body: { by } }),
      until: (event) => clock.until({ body: { event } }),
      set: (body) => clock.put({ body }),
    },
    fetch: createWorldFetch(calls.id, server),
  }
}

function createWorldFetch(world: string, server: string): typeof fetch {
  return (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), server), init)
    if (new URL(request.url).origin === new URL(server).origin) request.headers.set('x-world', world)
    return send(request)
  }
}

async function saveEvidence(world: WorldCalls, server: string, { id, name }: Task) {
  const folder = path.resolve(RESULTS, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}-${id}`)
  mkdirSync(folder, { recursive: true })
  await attachEvidence(world, server, { title: name, outputPath: (file) => path.join(folder, file), attach: async () => {} })
  console.warn(`${name}: its requests, mails and world are in ${path.relative('.', folder)}; reopen.sh opens the world again`)
}

let server: RunningServer | undefined

/** Global setup of Vitest: starts one server for the run, unless `WHEREABOUTS_URL` names one. */
export async function setup() {
  if (process.env.WHEREABOUTS_URL) return
  server = await startServer()
  process.env.WHEREABOUTS_URL = server.url
}

export async function teardown() {
  await server?.stop()
}

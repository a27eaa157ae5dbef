import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ScenarioName } from '#contracts/mock/scenarios.ts'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { PLAN_MOVES, PLAN_PAUSES } from '#contracts/rules/subscription.ts'
import { readEngine } from '#db/schema/engine.ts'
import { recordAsStart } from '#scripts/test/changed/calls.ts'
import { recordEndpoints } from '#scripts/test/changed/record-endpoints.ts'
import { delayResponses, delayStore } from '#scripts/test/delays/delays.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { type AppOptions, buildApp } from '#server/app.ts'
import type { City } from '#server/mock/city/index.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import { createInjectFetch } from '#server/mock/lib/inject-fetch.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { findScenario } from '#server/mock/seed/scenarios/scenarios.ts'
import { createWorldFactory } from '#server/mock/worlds/local-worlds.ts'
import { createSnapshotStore } from '#server/mock/worlds/snapshots.store.ts'
import { createTemplates, type Templates } from '#server/mock/worlds/templates.ts'
import { createWorlds } from '#server/mock/worlds/worlds.ts'
import { createPostgresFactory } from '#server/test/postgres/postgres-worlds.ts'
import { ANCHOR } from './test-files.ts'
import { borrowServer } from './test-servers.ts'

const quiet = { info() {}, warn() {}, error() {} }
const DIR = `.cache/worlds/${process.pid}`
const SNAPSHOTS = `${DIR}/snapshots`
let shared: { templates: Templates; city: City } | undefined

/** Starts the whole server on a fresh in-memory world, for one test: `await using portal = await startPortal()`. */
export async function startPortal({
  at = ANCHOR,
  limits = { credentials: true },
  secondFactor = { isRequired: false },
  graceDays = GRACE_DAYS.usual as number | null,
  asksContacts = false,
  claims = 'any' as 'stock' | 'any',
  moveLimits = PLAN_MOVES,
  pauseLimits = PLAN_PAUSES,
  termsVersion = '2026-01-01' as string | null,
  id = 'main',
  scenario = 'family' as ScenarioName,
  /** Scenarios of the user's folder. */
  own = new Map() as OwnScenarios,
  app: changes = {} as Partial<AppOptions>,
  /** Whether the responses count as covered by a test (see `recordResponses`). */
  noted = true,
} = {}) {
  shared ??= await recordAsStart(readShared)
  const { city } = shared
  const templates: Templates = (key) =>
    own.has(key.scenario) || !findScenario(key.scenario) ? createTemplates(city, DIR, own)(key) : shared!.templates(key)
  const common = {
    city,
    templates,
    log: quiet,
    limits,
    secondFactor,
    graceDays,
    asksContacts,
    claims,
    moveLimits,
    pauseLimits,
    termsVersion,
  }
  const originOf = () => 'http://portal.test'
  const makeWorld =
    readEngine() === 'postgres'
      ? createPostgresFactory({ ...common, originOf })
      : createWorldFactory({ ...common, anchor: ANCHOR, dir: DIR, originOf })
  const make: typeof makeWorld = async (...request) => {
    const world = await makeWorld(...request)
    delayStore(world.db)
    return world
  }
  const snapshots = createSnapshotStore(SNAPSHOTS)
  const worlds = createWorlds(await make({ id, seed: 1, scenario, clock: { at } }), make)
  const build = () =>
    recordAsStart(async () => {
      const extendUsual = async (server: FastifyInstance) => {
        if (noted) recordResponses(server)
        await createControlPlane({ worlds, own, snapshots, city })(server)
      }
      const extend = async (server: FastifyInstance) => {
        observe(server)
        await (changes.extend ?? extendUsual)(server)
      }
      const built = await buildApp({ worlds, rateLimits: false, ...changes, extend })
      await built.ready()
      return built
    })
  const lend = () =>
    borrowServer({ worlds, snapshots, city }, (server) => {
      observe(server)
      recordResponses(server)
    })
  const isUsual = Object.keys(changes).length === 0 && own.size === 0 && noted
  const app = isUsual ? await lend() : await build()
  const world = worlds.get(id)!
  return {
    app,
    world,
    worlds,
    snapshots,
    clock: world.clock,
    fetch: createInjectFetch(app),
    /** Signs in a seeded person by e-mail, without password; returns the session token. */
    token: (email: string) => signInAs(world, email),
    /** Sends JSON or a file as a seeded person (null: without a session); returns status and parsed JSON. */
    async call(email: string | null, method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
      const bearer = email ? { authorization: `Bearer ${await signInAs(world, email)}` } : {}
      const file = body instanceof Blob ? body : null
      const payload = file ? Buffer.from(await file.arrayBuffer()) : (body as object | undefined)
      const answer = await app.inject({
        method: method as 'GET',
        url,
        headers: { ...bearer, ...(file && { 'content-type': file.type }), ...headers },
        ...(payload !== undefined && { payload }),
      })
      return { status: answer.statusCode, headers: answer.headers, body: parseBody(answer.body), raw: answer.rawPayload }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      worlds.closeAll()
      rmSync(SNAPSHOTS, { recursive: true, force: true })
    },
  }
}

async function readShared() {
  const city = await openTestCity()
  const templates = createTemplates(city, DIR)
  templates.add({ anchor: ANCHOR, seed: 1, scenario: 'family' }, await readFile(templateFile()))
  return { city, templates }
}

function parseBody(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function observe(server: FastifyInstance) {
  delayResponses(server)
  recordEndpoints(server)
}

/** Folder in which a full test run records its responses; set by `scripts/test.ts`, so that a partial run records nothing. */
const RESPONSES_FOLDER = process.env.ANSWERS_DIR
const recorded = new Set<string>()

/** Records method, path, status and error code of every response, each combination once. */
function recordResponses(app: FastifyInstance) {
  if (!RESPONSES_FOLDER) return
  mkdirSync(RESPONSES_FOLDER, { recursive: true })
  app.addHook('onSend', async ({ routeOptions: { config }, faults }, { statusCode }, payload) => {
    if (!config.route || faults?.length) return
    const code = statusCode >= 400 && typeof payload === 'string' ? String(JSON.parse(payload).code) : '-'
    const line = `${config.route.method} ${config.route.path} ${statusCode} ${code}\n`
    if (recorded.has(line)) return
    recorded.add(line)
    appendFileSync(path.join(RESPONSES_FOLDER, `${process.pid}.txt`), line)
  })
}

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestFailed } from '#contracts/mock/connect.ts'
import { chooseWording } from '#db/program-files.ts'
import { isStale } from '#scripts/setup/stamps.mjs'
import type { CliContext, Command } from './command.ts'
import { formatData } from './format.ts'
import { ROOT } from './system.ts'

type ProbeResult = { check: string; verdict: 'ok' | 'BAD'; detail: string }
type Probe = (context: CliContext) => Promise<string> | string

const TARGETS = ['web', 'server', 'city'] as const
const MIN_FREE_BYTES = 500e6

/** Each probe returns its result, or throws an error that says how to fix the problem. */
const PROBES: Record<string, Probe> = {
  async database() {
    const { openSqlite } = await import('#db/sqlite/open.ts')
    openSqlite(':memory:').close()
    return `SQLite opens under Node ${process.versions.node}`
  },
  builds() {
    if (!existsSync(join(ROOT, 'scripts/setup.mjs'))) return 'the package is built'
    const stale = TARGETS.filter((target) => isStale(ROOT, target))
    if (stale.length > 0) throw new Error(`${stale.join(', ')} older than the source: \`whereabouts up\` rebuilds`)
    return `${TARGETS.join(', ')} are up to date`
  },
  async disk() {
    const { bavail, bsize } = await statfs(ROOT)
    const free = `${Math.round((bavail * bsize) / 1e6)} MB free`
    if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`${free}: too little for builds and worlds`)
    return free
  },
  async server({ client, server }) {
    const { version, world } = await client.worlds.about().catch((error) => {
      throw new Error(describeFailure(error, server))
    })
    return `${version} at ${server}; world ${world.id}, ${world.scenario}, ${world.clock.now} (${world.clock.mode})`
  },
  async portal({ io, server }) {
    const answer = await io.fetch(server)
    if (!answer.ok || !(await answer.text()).includes('<div id="root"'))
      throw new Error(`${server} serves no portal: ${chooseWording('`npm start` builds it', 'install the package again')}`)
    return 'the portal is served'
  },
  async contract({ client }) {
    const broken = await client.violations.list()
    if (broken.length > 0) throw new Error(`${broken.length} violations: \`whereabouts violations\` lists them`)
    return 'no violations'
  },
}

function describeFailure(error: unknown, server: string) {
  if (!(error instanceof RequestFailed)) return `another program than the mock server responds at ${server}`
  if (error.status === 0) return `no server responds at ${server}: \`whereabouts up\` starts one`
  return error.status === 403 ? 'it requires its CONTROL_TOKEN: pass --token' : error.message
}

async function runProbe(check: string, at: Probe, context: CliContext): Promise<ProbeResult> {
  try {
    return { check, verdict: 'ok', detail: await at(context) }
  } catch (error) {
    return { check, verdict: 'BAD', detail: error instanceof Error ? error.message : String(error) }
  }
}

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'Finds what keeps the local stack from working, and how to fix it',
  fields: [],
  args: [],
  example: 'doctor',
  async run(_, context) {
    const data: ProbeResult[] = []
    for (const [check, at] of Object.entries(PROBES)) {
      data.push(await runProbe(check, at, context))
      if (check === 'server' && data.at(-1)!.verdict === 'BAD') break
    }
    return { data, text: formatData(data), code: data.every(({ verdict }) => verdict === 'ok') ? 0 : 1 }
  },
}

import { statfs } from 'node:fs/promises'
import { CallFailed } from '#contracts/mock/connect.ts'
import { isStale } from '#scripts/setup/stamps.mjs'
import type { Command, Context } from './command.ts'
import { ROOT } from './root.ts'
import { textOf } from './text.ts'

type Finding = { check: string; verdict: 'ok' | 'BAD'; told: string }
type Look = (context: Context) => Promise<string> | string

const TARGETS = ['web', 'server', 'city'] as const
const LEAST_FREE = 500e6

/** Each probe returns what it found, or throws what is wrong and how to fix it. */
const LOOKS: Record<string, Look> = {
  async database() {
    const { openDb } = await import('#db/sqlite/open.ts')
    openDb(':memory:').close()
    return `SQLite opens under Node ${process.versions.node}`
  },
  builds() {
    const stale = TARGETS.filter((target) => isStale(ROOT, target))
    if (stale.length > 0) throw new Error(`${stale.join(', ')} older than the source: \`npm start\` builds anew`)
    return `${TARGETS.join(', ')} are what the source makes`
  },
  async disk() {
    const { bavail, bsize } = await statfs(ROOT)
    const free = `${Math.round((bavail * bsize) / 1e6)} MB free`
    if (bavail * bsize < LEAST_FREE) throw new Error(`${free}: builds and worlds need more`)
    return free
  },
  async server({ calls, server }) {
    const { version, world } = await calls.worlds.about().catch((error) => {
      throw new Error(reasonOf(error, server))
    })
    return `${version} at ${server}; world ${world.id}, ${world.scenario}, ${world.clock.now} (${world.clock.mode})`
  },
  async portal({ io, server }) {
    const answer = await io.fetch(server)
    if (!answer.ok || !(await answer.text()).includes('<div id="root"'))
      throw new Error(`${server} answers no portal: \`npm start\` builds it`)
    return 'the page is served'
  },
  async contract({ calls }) {
    const broken = await calls.violations.list()
    if (broken.length > 0) throw new Error(`${broken.length} violations: \`whereabouts violations\` lists them`)
    return 'no call broke it'
  },
}

function reasonOf(error: unknown, server: string) {
  if (!(error instanceof CallFailed)) return `something that is no mock server answers at ${server}`
  if (error.status === 0) return `nothing answers at ${server}: \`whereabouts up\` starts it`
  return error.status === 403 ? 'it wants its CONTROL_TOKEN: --token' : error.message
}

async function look(check: string, at: Look, context: Context): Promise<Finding> {
  try {
    return { check, verdict: 'ok', told: await at(context) }
  } catch (error) {
    return { check, verdict: 'BAD', told: error instanceof Error ? error.message : String(error) }
  }
}

export const doctor: Command = {
  words: 'doctor',
  about: 'Looks for what keeps the local stack from working, and tells what to do about it',
  fields: [],
  args: [],
  example: 'doctor',
  async run(_, context) {
    const data: Finding[] = []
    for (const [check, at] of Object.entries(LOOKS)) {
      data.push(await look(check, at, context))
      if (check === 'server' && data.at(-1)!.verdict === 'BAD') break
    }
    return { data, text: textOf(data), code: data.every(({ verdict }) => verdict === 'ok') ? 0 : 1 }
  },
}

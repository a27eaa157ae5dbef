import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { api } from '#contracts/index.ts'
import { connect, type Server } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import type { ScenarioTools } from '#contracts/mock/scenario-tools.ts'
import { SCENARIO_KEYS, ScenarioName } from '#contracts/mock/scenarios.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import type { OwnScenario, OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { serializeWorld } from '#server/mock/worlds/snapshots.store.ts'
import { listPersonas } from '#server/mock/worlds/worlds.present.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { importWorld } from './import-world.ts'

/** The server that runs modules, as its clients reach it. */
type Builder = { worlds: MockWorlds; server: Omit<Server, 'world'> }

type ScenarioModule = { default: (tools: ScenarioTools) => unknown; title?: string; base?: string }

const MODULE = /\.(mjs|js|ts|mts)$/
/** From this version on Node runs TypeScript by itself. */
const TYPESCRIPT_SINCE = [22, 18] as const
const BUILDER = 'scenario-builder'

/**
 * Adds a scenario for each document (`*.json`) and module (`*.ts`, `*.mjs`, `*.js`) of a folder, by its file name. Modules are run once, in
 * a world of their base scenario. Throws one readable sentence with the name of the file.
 */
export async function loadOwnScenarios(folder: string, own: OwnScenarios, { worlds, server }: Builder) {
  if (!existsSync(folder)) throw new Error(`SCENARIOS: there is no folder ${folder}`)
  const files = readdirSync(folder).filter((file) => (file.endsWith('.json') || MODULE.test(file)) && !/^[._]|\.d\.m?ts$/.test(file))
  for (const file of files.sort()) {
    try {
      const name = path.basename(file).replace(/\.\w+$/, '')
      validateName(name, own)
      const whole = path.resolve(folder, file)
      own.set(name, file.endsWith('.json') ? await readDocument(whole, name) : await runModule(whole, name, { worlds, server }))
    } catch (error) {
      throw new Error(`${path.join(folder, file)}: ${explain(error)}`, { cause: error })
    }
  }
}

function validateName(name: string, own: OwnScenarios) {
  const { error } = ScenarioName.safeParse(name)
  if (error) throw new Error(`the file name is the name of the scenario: ${error.issues[0]!.message.toLowerCase()}`)
  if ((SCENARIO_KEYS as readonly string[]).includes(name)) throw new Error(`the server has a scenario ${name} of its own`)
  if (own.has(name)) throw new Error(`another file has the name ${name} too`)
}

function explain(error: unknown) {
  if (error instanceof Failure && error.extras.errors)
    return Object.entries(error.extras.errors)
      .map(([field, reasons]) => `${field}: ${reasons}`)
      .join('\n  ')
  return error instanceof Error ? error.message : String(error)
}

function describe(name: string, title: string, bytes: Buffer): OwnScenario {
  const db = openSqlite(bytes)
  const personas = listPersonas({ scenario: name, db }).map(({ key }) => key)
  db.close()
  return { title, bytes, personas }
}

async function readDocument(file: string, name: string): Promise<OwnScenario> {
  const text = readFileSync(file, 'utf8')
  const bytes = await importWorld(text, { scenario: name })
  const { title } = JSON.parse(text) as { title?: unknown }
  return describe(name, typeof title === 'string' ? title : name, bytes)
}

async function runModule(file: string, name: string, { worlds, server }: Builder): Promise<OwnScenario> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [least, leastMinor] = TYPESCRIPT_SINCE
  if (/\.m?ts$/.test(file) && (major < least || (major === least && minor < leastMinor)))
    throw new Error(`TypeScript needs Node ${TYPESCRIPT_SINCE.join('.')} or newer; this is ${process.versions.node}`)
  const { default: arrange, title = name, base = 'empty' } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as ScenarioModule
  if (typeof arrange !== 'function') throw new Error('the default export must be a function')
  const world = await worlds.create({ id: BUILDER, seed: 1, scenario: base })
  try {
    const at = { ...server, world: BUILDER }
    const tools = connect(control, at)
    await arrange({
      world: tools,
      api: async (persona) => {
        const token = persona && (await tools.scenarios.login({ body: { persona } })).token
        return connect(api, { ...at, token: token || undefined })
      },
    })
    return describe(name, title, renameScenario(await serializeWorld(world), name))
  } finally {
    await worlds.remove(BUILDER)
  }
}

function renameScenario(bytes: Buffer, name: string) {
  const db = openSqlite(bytes)
  db.raw.prepare('update seeds set scenario = ?, size = null').run(name)
  db.raw.exec('delete from tokens')
  const renamed = db.raw.serialize()
  db.close()
  return renamed
}

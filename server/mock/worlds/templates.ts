import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { describeChoice } from '#contracts/mock/choices.ts'
import { SCENARIO_KEYS, type ScenarioKey } from '#contracts/mock/scenarios.ts'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { connect } from '#db/sqlite/driver.ts'
import { openSqlite } from '#db/sqlite/open.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { City } from '#server/mock/city/index.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { buildScenario } from '#server/mock/seed/scenarios/build-scenario.ts'
import type { OwnScenario, OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { findScenario } from '#server/mock/seed/scenarios/scenarios.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'

export type TemplateKey = { anchor: Date; seed: number; scenario: string; size?: number | undefined }

/** A seeded database: its bytes, or a file for large ones. */
export type Template = Buffer | { file: string }

export type Templates = (key: TemplateKey) => Promise<Template>

const MAX_CACHED = 24
/** Larger templates are stored on disk, because a few of them would fill the memory. */
const LARGE_BYTES = 8 * 1024 * 1024

/**
 * Caches seeded databases, built on first use; large ones are stored in `dir`. Those of `own` scenarios are the same for every seed and
 * anchor. All due jobs have run in them, so that a world with a frozen clock does not change by itself. Throws `validation_error` for an
 * unknown scenario.
 */
export function createTemplates(
  city: City,
  dir: string,
  own: OwnScenarios = new Map(),
): Templates & { add(key: TemplateKey, bytes: Buffer): void } {
  const cache = new LRUCache<string, Promise<Template>>({ max: MAX_CACHED })
  const ownCache = new WeakMap<OwnScenario, Promise<Buffer>>()

  function settleOwn(scenario: OwnScenario) {
    const settled = ownCache.get(scenario) ?? settle(scenario.bytes, dir)
    ownCache.set(scenario, settled)
    return settled
  }

  async function build(key: TemplateKey): Promise<Template> {
    const { scenario, size } = key
    if (scenario === 'family') return settle(await buildTemplate({ ...key, city }), dir)
    const family = readTemplate(await get({ ...key, scenario: 'family', size: undefined }))
    const bytes = await settle(await buildScenario(family, scenario as ScenarioKey, city, size), dir)
    return bytes.length > LARGE_BYTES ? writeTemplateFile(path.join(dir, `${templateName(key)}.db`), bytes) : bytes
  }

  async function get(key: TemplateKey): Promise<Template> {
    const made = own.get(key.scenario)
    if (made) return settleOwn(made)
    if (!findScenario(key.scenario)) throw invalidField('scenario', describeChoice(key.scenario, [...SCENARIO_KEYS, ...own.keys()]))
    const name = templateName(key)
    const template = cache.get(name) ?? build(key)
    cache.set(name, template)
    return template
  }
  return Object.assign(get, { add: (key: TemplateKey, bytes: Buffer) => cache.set(templateName(key), Promise.resolve(bytes)) })
}

/** Small pages, because most of a world's tables have a few rows, each in a page of its own. */
const PAGE_BYTES = 1024

const SILENT = { info() {}, warn() {}, error() {} }

/** Runs the jobs that are due at the time of a database. */
async function settle(bytes: Buffer, dir: string): Promise<Buffer> {
  const db = openSqlite(bytes)
  try {
    const { clock, anchor } = await readSeed(db.read)
    const world = { db, log: SILENT, productName: '', graceDays: GRACE_DAYS.usual, payments: { isLive: false } }
    await runDue(world, clock ? new Date(clock.at) : anchor)
    const settled = db.raw.serialize()
    return settled.length > LARGE_BYTES ? settled : shrink(settled, dir)
  } finally {
    db.close()
  }
}

/** Rewrites a database with smaller pages, which SQLite supports for files only. */
function shrink(bytes: Buffer, dir: string): Buffer {
  mkdirSync(dir, { recursive: true })
  const file = path.join(dir, `shrink-${process.pid}-${++shrunk}.db`)
  writeFileSync(file, bytes)
  const connection = connect(file)
  try {
    connection.exec(`pragma journal_mode = delete; pragma page_size = ${PAGE_BYTES}; vacuum`)
    return readFileSync(file)
  } finally {
    connection.close()
    rmSync(file)
  }
}

let shrunk = 0

export const readTemplate = (template: Template) => (Buffer.isBuffer(template) ? template : readFileSync(template.file))

const templateName = ({ anchor, seed, scenario, size = findScenario(scenario)?.size }: TemplateKey) =>
  [scenario, ...(size === undefined ? [] : [size]), seed, Math.floor(anchor.getTime() / 1000)].join('-')

function writeTemplateFile(file: string, bytes: Buffer) {
  mkdirSync(path.dirname(file), { recursive: true })
  if (existsSync(file)) return { file }
  writeFileSync(`${file}.part`, bytes)
  renameSync(`${file}.part`, file)
  return { file }
}

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { SCENARIO_KEYS, type ScenarioKey } from '#contracts/mock/scenarios.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { City } from '#server/mock/city/city.ts'
import { buildScenario } from '#server/mock/seed/scenarios/build-scenario.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
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
 * anchor. Throws `validation_error` for an unknown scenario.
 */
export function createTemplates(
  city: City,
  dir: string,
  own: OwnScenarios = new Map(),
): Templates & { add(key: TemplateKey, bytes: Buffer): void } {
  const cache = new LRUCache<string, Promise<Template>>({ max: MAX_CACHED })

  async function build(key: TemplateKey): Promise<Template> {
    const { scenario, size } = key
    if (scenario === 'family') return buildTemplate({ ...key, city })
    const family = readTemplate(await get({ ...key, scenario: 'family', size: undefined }))
    const bytes = await buildScenario(family, scenario as ScenarioKey, city, size)
    return bytes.length > LARGE_BYTES ? writeTemplateFile(path.join(dir, `${templateName(key)}.db`), bytes) : bytes
  }

  async function get(key: TemplateKey): Promise<Template> {
    const made = own.get(key.scenario)
    if (made) return made.bytes
    if (!findScenario(key.scenario)) throw invalidField('scenario', `One of ${[...SCENARIO_KEYS, ...own.keys()].join(', ')}`)
    const name = templateName(key)
    const template = cache.get(name) ?? build(key)
    cache.set(name, template)
    return template
  }
  return Object.assign(get, { add: (key: TemplateKey, bytes: Buffer) => cache.set(templateName(key), Promise.resolve(bytes)) })
}

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

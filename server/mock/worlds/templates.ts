import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import type { City } from '#server/mock/city/city.ts'
import { buildScenario } from '#server/mock/seed/scenarios/build-scenario.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'
import { createLru } from '#server/mock/tiles/lru.ts'

export type TemplateKey = { anchor: Date; seed: number; scenario: ScenarioKey }

/** A seeded database: its bytes, or a file for large ones. */
export type Template = Buffer | { file: string }

export type Templates = (wanted: TemplateKey) => Promise<Template>

const MAX_CACHED = 24
/** Larger templates are stored on disk, because a few of them would fill the memory. */
const LARGE_BYTES = 8 * 1024 * 1024

/** Caches seeded databases, built on first use; large ones are stored in `dir`. */
export function createTemplates(city: City, dir: string): Templates & { keep(wanted: TemplateKey, bytes: Buffer): void } {
  const cache = createLru<Promise<Template>>(MAX_CACHED)

  async function build(wanted: TemplateKey): Promise<Template> {
    const { scenario } = wanted
    if (scenario === 'family') return buildTemplate({ ...wanted, city })
    const family = readTemplate(await get({ ...wanted, scenario: 'family' }))
    const bytes = await buildScenario(family, scenario, city)
    return bytes.length > LARGE_BYTES ? writeTemplateFile(path.join(dir, `${templateName(wanted)}.db`), bytes) : bytes
  }

  function get(wanted: TemplateKey) {
    const name = templateName(wanted)
    const template = cache.get(name) ?? build(wanted)
    cache.set(name, template)
    return template
  }
  return Object.assign(get, { keep: (wanted: TemplateKey, bytes: Buffer) => cache.set(templateName(wanted), Promise.resolve(bytes)) })
}

export const readTemplate = (template: Template) => (Buffer.isBuffer(template) ? template : readFileSync(template.file))

const templateName = ({ anchor, seed, scenario }: TemplateKey) => `${scenario}-${seed}-${Math.floor(anchor.getTime() / 1000)}`

function writeTemplateFile(file: string, bytes: Buffer) {
  mkdirSync(path.dirname(file), { recursive: true })
  if (existsSync(file)) return { file }
  writeFileSync(`${file}.part`, bytes)
  renameSync(`${file}.part`, file)
  return { file }
}

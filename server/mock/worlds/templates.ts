import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import type { City } from '#server/mock/city/city.ts'
import { stage } from '#server/mock/seed/scenarios/stage.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'
import { createLru } from '#server/mock/tiles/lru.ts'

export type Wanted = { anchor: Date; seed: number; scenario: ScenarioKey }

/** A seeded database: its bytes, or a file for large ones. */
export type Template = Buffer | { file: string }

export type Templates = (wanted: Wanted) => Promise<Template>

/** Each takes about a megabyte. */
const KEPT = 24
/** Larger templates are stored on disk, because a few of them would fill the memory. */
const LARGE = 8 * 1024 * 1024

/** Caches seeded databases, built on first use; large ones are stored in `dir`. */
export function createTemplates(city: City, dir: string): Templates & { keep(wanted: Wanted, bytes: Buffer): void } {
  const known = createLru<Promise<Template>>(KEPT)

  async function make(wanted: Wanted): Promise<Template> {
    const { scenario } = wanted
    if (scenario === 'family') return buildTemplate({ ...wanted, city })
    const family = bytesOf(await get({ ...wanted, scenario: 'family' }))
    const bytes = await stage(family, scenario, city)
    return bytes.length > LARGE ? putAway(path.join(dir, `${nameOf(wanted)}.db`), bytes) : bytes
  }

  function get(wanted: Wanted) {
    const name = nameOf(wanted)
    const template = known.get(name) ?? make(wanted)
    known.set(name, template)
    return template
  }
  return Object.assign(get, { keep: (wanted: Wanted, bytes: Buffer) => known.set(nameOf(wanted), Promise.resolve(bytes)) })
}

export const bytesOf = (template: Template) => (Buffer.isBuffer(template) ? template : readFileSync(template.file))

const nameOf = ({ anchor, seed, scenario }: Wanted) => `${scenario}-${seed}-${Math.floor(anchor.getTime() / 1000)}`

function putAway(file: string, bytes: Buffer) {
  mkdirSync(path.dirname(file), { recursive: true })
  if (existsSync(file)) return { file }
  writeFileSync(`${file}.part`, bytes)
  renameSync(`${file}.part`, file)
  return { file }
}

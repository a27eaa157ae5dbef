import { readFileSync } from 'node:fs'
import type { BodyOf } from '#contracts/lib/route.ts'
import type { control } from '#contracts/mock/index.ts'
import { HarError, listReasons, makeRecordedWorld, type Outcome, parseJson, type Workshop } from '#scripts/har/index.ts'
import { type CliContext, type Command, UsageError } from './command.ts'
import type { Field } from './fields.ts'

const fileField: Field = { name: 'file', part: 'params', path: ['file'], kind: 'text', isList: false, isRequired: true, choices: [] }
const optionOf = (name: string, kind: Field['kind'] = 'text'): Field => ({
  ...{ name, kind, part: 'query', path: [name.replaceAll('-', '_')], isList: false, isRequired: false, choices: [] },
})

type OpenedWorld = BodyOf<typeof control.worlds.create>

export const fromHarCommand: Command = {
  name: 'world from-har',
  about: 'Creates a world from a recording of a real backend: an HTTP archive of contracts proxy --record, or of a browser',
  fields: [fileField, optionOf('name'), optionOf('base'), optionOf('keep-people', 'switch'), optionOf('ttl-seconds', 'number')],
  args: ['file'],
  example: 'world from-har calls.har --name recorded',
  isWorldless: true,
  async run({ params, query }, context) {
    const text = readText(String(params.file))
    const workshop = createWorkshop(context)
    const { document, calls, warnings } = await makeRecordedWorld(text, workshop, {
      keepPeople: query.keep_people === true,
      base: query.base === undefined ? undefined : String(query.base).replace(/\/+$/, ''),
    }).catch((error: Error) => {
      throw error instanceof HarError ? new UsageError(`${params.file}: ${error.message}`) : error
    })
    const { name, ttl_seconds } = query as { name?: string; ttl_seconds?: number }
    const world = await context.client.worlds.import({
      query: { ...(name !== undefined && { id: name }), ...(ttl_seconds !== undefined && { ttl_seconds }) },
      body: new Blob([document]),
    })
    return { data: { world, calls, warnings }, text: describe(world, calls, warnings) }
  },
}

function readText(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Seconds until an abandoned draft is removed. */
const DRAFT_SECONDS = 600

const createWorkshop = ({ client, server, io }: CliContext): Workshop => ({
  async open(document, reader) {
    const { id, personas } = await client.worlds.import({ query: { ttl_seconds: DRAFT_SECONDS }, body: new Blob([document]) })
    const owner = personas.find(({ email }) => email === reader)
    return {
      async read(path) {
        const headers = { 'x-world': id, ...(owner && { authorization: `Bearer ${owner.token}` }) }
        const response = await io.fetch(server.replace(/\/+$/, '') + path, { headers })
        const text = await response.text()
        return { status: response.status, body: parseJson(text) ?? text }
      },
      remove: () => client.worlds.remove({ params: { id } }),
    }
  },
})

function describe({ id, base_url, personas }: OpenedWorld, calls: readonly Outcome[], warnings: readonly string[]) {
  const count = (kind: Outcome['becomes']) => calls.filter(({ becomes }) => becomes === kind).length
  const lines = [
    `World ${id}: ${base_url}`,
    `People: ${personas.map(({ key, email }) => `${key} (${email})`).join(', ')}; all have the password Demo-1234`,
    `${calls.length} entries: ${count('rows')} became rows, ${count('answer')} are repeated as they were recorded, ${count('live')} the world answers by itself, ${count('left out')} are left out`,
    ...listReasons(calls).map((reason) => `  ${reason}`),
    ...(warnings.length > 0 ? ['Not as recorded:', ...warnings.map((warning) => `  ${warning}`)] : []),
  ]
  return `${lines.join('\n')}\n`
}

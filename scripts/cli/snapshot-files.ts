import { existsSync, openAsBlob } from 'node:fs'
import { basename, extname } from 'node:path'
import { control } from '#contracts/mock/index.ts'
import { type Command, callCommand } from './command.ts'
import type { Field } from './fields.ts'
import { UsageError } from './usage-error.ts'

const file: Field = { name: 'file', part: 'params', path: ['file'], kind: 'text', isList: false, isRequired: true, choices: [] }
const name: Field = { ...file, name: 'name', part: 'query', path: ['name'], isRequired: false }

const takeIn: Command = {
  words: 'snapshot import',
  about: control.snapshots.add.summary,
  fields: [file, name],
  args: ['file', 'name?'],
  example: 'snapshot import before.db',
  isWorldless: true,
  async run({ params, query }, { calls }) {
    const path = String(params.file)
    if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
    const body = await openAsBlob(path)
    return { data: await calls.snapshots.add({ query: { name: String(query.name ?? basename(path, extname(path))) }, body }) }
  },
}

/** Snapshots as files, to exchange with other machines. */
export const snapshotFiles: readonly Command[] = [
  callCommand('snapshot download', 'snapshots.download', 'snapshot download before -o before.db', { args: ['name'], isWorldless: true }),
  takeIn,
]

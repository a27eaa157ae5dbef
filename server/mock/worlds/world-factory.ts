import { constants, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { readTemplate, type Template, type Templates } from './templates.ts'
import { createWorld, type MockWorld, type MockWorldOptions } from './world.ts'
import type { WorldRequest } from './worlds.ts'

type WorldFactoryOptions = Pick<MockWorldOptions, 'city' | 'log' | 'productName' | 'limits' | 'secondFactor'> & {
  templates: Templates
  anchor: Date
  dir: string
  originOf(id: string): string
}

export const createWorldFactory =
  ({ templates, anchor, dir, originOf, ...common }: WorldFactoryOptions) =>
  async ({ id, seed, scenario = 'family', size, clock, storage, from, journal }: WorldRequest, old?: MockWorld): Promise<MockWorld> => {
    const template = from ?? (await templates({ anchor, seed, scenario, size }))
    old?.close()
    const isFile = storage ? storage === 'file' : !Buffer.isBuffer(template)
    const file = path.join(dir, `${id}.db`)
    const db = isFile ? openSqlite(copyTemplate(file, template)) : openSqlite(readTemplate(template))
    if (from) migrate(db)
    const { clock: savedClock, ids, ...seeded } = await readSeed(db.read)
    const start = { mode: 'frozen' as const, ...(savedClock && { ...savedClock, at: new Date(savedClock.at) }), ...clock }
    return createWorld({
      ...common,
      ...seeded,
      id,
      db,
      origin: originOf(id),
      clock: start,
      journal,
      ids: createSeededIds(seeded.seed, ids ?? 0),
      storage: isFile ? 'file' : 'memory',
      onClose: () => isFile && removeDb(file),
    })
  }

function copyTemplate(file: string, template: Template) {
  mkdirSync(path.dirname(file), { recursive: true })
  removeDb(file)
  if (Buffer.isBuffer(template)) writeFileSync(file, template)
  else copyFileSync(template.file, file, constants.COPYFILE_FICLONE)
  return file
}

export function removeDb(file: string) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

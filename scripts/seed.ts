import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openSqlite } from '#db/sqlite/open.ts'
import { readConfig } from '#server/config.ts'
import { DATABASE_FILENAME, ensureDataDir } from '#server/http/process.ts'
import { openCity } from '#server/mock/city/index.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'

const SEED = 1
const { force } = parseArgs({ options: { force: { type: 'boolean', default: false } } }).values
const { DATA_DIR, SEED_ANCHOR } = readConfig(process.env)
const file = path.join(DATA_DIR, DATABASE_FILENAME)
const fail = (sentence: string): never => {
  console.error(sentence)
  process.exit(1)
}

if (existsSync(file) && !force)
  fail(`${file} exists. Stop the server, then recreate it with "npm run seed -- --force": all changes in it are lost.`)
if (!existsSync('dist/city/city.json')) fail('The demo city is not built yet: run "npm run build" first.')

const anchor = SEED_ANCHOR ? new Date(SEED_ANCHOR) : new Date()
const bytes = await buildTemplate({ anchor, seed: SEED, city: openCity('dist/city') })
ensureDataDir(DATA_DIR)
for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
writeFileSync(file, bytes)

const db = openSqlite(file)
const count = (table: string) => db.raw.prepare(`select count(*) from ${table}`).pluck().get()
console.log(
  `${file} created around ${anchor.toISOString().slice(0, 19)}Z: ${count('users')} users, ${count('devices')} trackers, ${count('positions')} positions.`,
)
console.log(`Sign in as ${PERSONAS[0]?.email} with ${PERSONAS[0]?.password}.`)
db.close()

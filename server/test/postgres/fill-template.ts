import { parseArgs } from 'node:util'
import pg from 'pg'
import { chooseEngine } from '#db/schema/engine.ts'
import { ANCHOR } from '#server/test/test-files.ts'

/**
 * Creates databases: `fill-template.ts URL NAME=FILE …`, each from a seeded SQLite file, or without rows: `NAME=`. With `--restorable` tests
 * can restore them, which makes each write to them take longer.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { restorable: { type: 'boolean', default: false } } })
const [url = '', ...templates] = positionals
chooseEngine(url)
const { migrate, openPostgres } = await import('#db/postgres/open.ts')
const { copyFromSqlite } = await import('#db/open/copy-from-sqlite.ts')
const { addRestore } = await import('./restore-seed.ts')
const { connect } = await import('#db/sqlite/driver.ts')

const admin = new pg.Client(url)
await admin.connect()
for (const template of templates) {
  const [name = '', file = ''] = template.split('=')
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  const db = await openPostgres(Object.assign(new URL(url), { pathname: `/${name}` }).href)
  await migrate(db, ANCHOR)
  const client = await db.connections.pool.connect()
  // On a busy machine more time may pass between two statements than a server's transaction may be idle.
  await client.query('set idle_in_transaction_session_timeout = 0; set statement_timeout = 0')
  if (file) await copyFromSqlite(connect(file), client)
  if (values.restorable) await addRestore(client)
  await client.query('vacuum analyze')
  client.release()
  await db.close()
}
await admin.end()

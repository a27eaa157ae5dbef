import pg from 'pg'
import { chooseEngine } from '#db/schema/engine.ts'
import { TEMPLATE_FILE } from '#server/test/test-files.ts'

/** Makes the seeded database that tests copy: `fill-template.ts URL NAME`. */
const [url = '', name = ''] = process.argv.slice(2)
chooseEngine(url)
const { migrate, openPostgres } = await import('#db/postgres/open.ts')
const { copyFromSqlite } = await import('#db/open/copy-from-sqlite.ts')
const { connect } = await import('#db/sqlite/driver.ts')

const admin = new pg.Client(url)
await admin.connect()
await admin.query(`drop database if exists ${name} with (force)`)
await admin.query(`create database ${name}`)
await admin.end()
const db = await openPostgres(Object.assign(new URL(url), { pathname: `/${name}` }).href)
await migrate(db, new Date('2026-03-02T09:00:00Z'))
const client = await db.connections.pool.connect()
await copyFromSqlite(connect(TEMPLATE_FILE), client)
await client.query('vacuum analyze')
client.release()
await db.close()

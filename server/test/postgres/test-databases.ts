import pg from 'pg'
import { openPostgres, type PostgresDb } from '#db/postgres/open.ts'

/** The server on which tests make their databases; set by the run (`scripts/test-setup/postgres.ts`). */
const serverUrl = () => process.env.DATABASE_URL!

const withDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href

let made = 0
let admin: pg.Client | undefined

async function connectAdmin() {
  if (!admin) {
    admin = new pg.Client(serverUrl())
    await admin.connect()
    admin.on('error', () => {})
    // The last connection of a worker must not hold it open.
    ;(admin as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref()
  }
  return admin
}

/** Makes a database without tables. */
export async function createEmptyDatabase() {
  const client = await connectAdmin()
  const name = `test_${process.pid}_${++made}`
  await client.query(`create database ${name} template template0`)
  return {
    url: withDatabase(serverUrl(), name),
    remove: () => client.query(`drop database if exists ${name} with (force)`),
  }
}

/** Copies a database that the run has prepared; the copy is removed when it is closed. */
export async function openTestDatabase(template: string): Promise<PostgresDb> {
  const client = await connectAdmin()
  const name = `test_${process.pid}_${++made}`
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  const db = await openPostgres(withDatabase(serverUrl(), name), { max: 4 })
  return {
    ...db,
    async close() {
      await db.close()
      await client.query(`drop database if exists ${name} with (force)`)
    },
  }
}

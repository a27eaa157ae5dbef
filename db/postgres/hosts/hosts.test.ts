import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '#server/test/postgres/start-postgres.ts'
import { findFreePort } from '#server/test/test-process.ts'
import { createHosts } from './hosts.ts'

/** A PostgreSQL managed by others must not be promoted by this test. */
const isOwn = !process.env.TEST_DATABASE_URL

let primary: TestPostgres
let standby: TestPostgres
let other: TestPostgres

beforeAll(async () => {
  if (!isOwn) return
  primary = await startPostgres()
  standby = await startPostgres({ standbyOf: primary })
  other = await startPostgres()
})

afterAll(async () => {
  for (const server of [standby, primary, other]) await server?.stop()
})

const hostOf = (server: TestPostgres) => new URL(server.url).host
const addressOf = (...hosts: string[]) => `postgres://postgres:test@${hosts.join(',')}/postgres`

/** The result of `find`: a host, or the code or message of its failure. */
async function findAmong(...hosts: string[]) {
  const found = createHosts(addressOf(...hosts))
  try {
    return new URL(await found.find()).host
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code ?? message
  } finally {
    found.close()
  }
}

/** Accepts connections but never responds. */
async function startSilentHost() {
  const server = createServer(() => {})
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { host: `127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() }
}

async function run(server: TestPostgres, text: string) {
  const client = new pg.Client(server.url)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

test.skipIf(!isOwn)('the host that accepts changes is found wherever it stands in the address', async () => {
  expect(await findAmong(hostOf(primary), hostOf(standby))).toBe(hostOf(primary))
  expect(await findAmong(hostOf(standby), hostOf(primary))).toBe(hostOf(primary))
})

test.skipIf(!isOwn)('a host that refuses, is unknown or never answers does not keep the others from being found', async () => {
  using silent = await startSilentHost()
  expect(await findAmong(`127.0.0.1:${await findFreePort()}`, hostOf(primary))).toBe(hostOf(primary))
  expect(await findAmong('unknown.invalid:5432', hostOf(primary))).toBe(hostOf(primary))
  expect(await findAmong(silent.host, hostOf(standby), hostOf(primary))).toBe(hostOf(primary))
})

test.skipIf(!isOwn)('without a host that accepts changes the failure says so, or why none answers', async () => {
  const closed = `127.0.0.1:${await findFreePort()}`
  expect(await findAmong(hostOf(standby), closed)).toBe('25006')
  expect(await findAmong(closed, `127.0.0.1:${await findFreePort()}`)).toBe('ECONNREFUSED')
})

test.skipIf(!isOwn)('hosts of different databases are refused', async () => {
  expect(await findAmong(hostOf(primary), hostOf(other))).toContain('different databases')
})

test.skipIf(!isOwn)('a database that an operator has made read-only is not taken for the one that accepts changes', async () => {
  await run(other, 'alter database postgres set default_transaction_read_only = on')
  expect(await findAmong(hostOf(other), `127.0.0.1:${await findFreePort()}`)).toBe('25006')
})

test.skipIf(!isOwn)('once a standby is promoted it is found, also while the former primary still accepts changes', async () => {
  const moves: string[] = []
  const hosts = createHosts(addressOf(hostOf(primary), hostOf(standby)), (host) => moves.push(host))
  try {
    expect(new URL(await hosts.find()).host).toBe(hostOf(primary))
    await run(standby, 'select pg_promote()')
    await expect.poll(() => new URL(hosts.current()).host).toBe(hostOf(standby))
    expect(moves).toEqual([hostOf(standby)])
    expect(await run(primary, 'select pg_is_in_recovery() as is_standby')).toEqual([{ is_standby: false }])
    expect(await findAmong(hostOf(primary), hostOf(standby))).toBe(hostOf(standby))
  } finally {
    hosts.close()
  }
})

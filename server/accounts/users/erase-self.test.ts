import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import * as accounts from '#db/schema/accounts.ts'
import { stockItems } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { listArchivedInvoices, removeArchivedInvoices } from '#server/billing/records/invoices.store.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { findOrphans, listColumns, queryValue } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const erase = (portal: Portal, email: string, query = '?profile=all') => portal.call(email, 'DELETE', `/users/me/${query}`)

/** Number of rows per table whose column has one of the ids. */
async function rowsOf({ world: { db } }: Portal, name: string, ids: number[]) {
  const tables = (await listColumns(db)).flatMap(({ table, column }) => (column === name ? [table] : []))
  const count = (table: string) => queryValue(db, `select count(*) from "${table}" where ${name} in (${ids.join()})`)
  const counts = await Promise.all(tables.map(async (table) => [table, await count(table)] as const))
  return Object.fromEntries(counts.filter(([, rows]) => rows !== 0))
}

const count = async (portal: Portal, table: typeof accounts.accounts | typeof accounts.users) => portal.world.db.read.$count(table)

describe('erasing an account', () => {
  test('R-7.22 R-5.11 erasing an account leaves no row and ends its token', async () => {
    await using portal = await startPortal()
    const token = await portal.token('zoe@example.com')
    await portal.call(null, 'POST', '/users/password_reset/', { email: 'zoe@example.com' })
    const elsewhere = { email: 'zoe@example.org', password: 'Demo-1234' }
    await portal.call('zoe@example.com', 'POST', '/users/change_email/', elsewhere)
    const [zoe] = (await portal.world.db.read.select().from(accounts.users)).filter(({ email }) => email === 'zoe@example.com')
    const { id, accountId } = zoe!
    const devices = [SEED.devices.zoeCat, SEED.devices.zoeBike]
    expect(await rowsOf(portal, 'account_id', [accountId])).toMatchObject({ devices: 2 })
    expect(await rowsOf(portal, 'device_id', devices)).toMatchObject({ positions: expect.any(Number), public_links: 2 })

    expect(await erase(portal, 'zoe@example.com')).toMatchObject({ status: 200, body: { deleted: true } })
    expect(await rowsOf(portal, 'account_id', [accountId])).toEqual({})
    expect(await rowsOf(portal, 'user_id', [id])).toEqual({})
    expect(await rowsOf(portal, 'device_id', devices)).toEqual({})
    expect((await portal.world.db.read.select().from(emails)).filter(({ to }) => to.startsWith('zoe@'))).toEqual([])
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await portal.call(null, 'GET', `/tracker_public_share_links/${LINKS.zoePermanent}/`)).status).toBe(404)
    const signIn = { username: 'zoe@example.com', password: 'Demo-1234' }
    expect((await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', signIn)).status).toBe(401)
  })

  test('mails of other accounts to the address of an erased account are still sent', async () => {
    await using portal = await startPortal()
    const mail = { template: 'place_alert', language: 'en', data: {}, createdAt: portal.clock.now() } as const
    const alice = (await portal.world.db.read.select().from(accounts.users)).find(({ email }) => email === 'alice@example.com')
    await portal.world.db.write('everything', (tx) => tx.insert(emails).values({ ...mail, to: 'zoe@example.com', userId: alice!.id }))
    await erase(portal, 'zoe@example.com')
    const left = (await portal.world.db.read.select().from(emails)).filter(({ to }) => to === 'zoe@example.com')
    expect(left).toMatchObject([{ template: 'place_alert' }])
  })

  test('R-1.22 R-5.3 the password is verified by signing in again, and that new token may erase the account', async () => {
    await using portal = await startPortal()
    const check = (password: string) => portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: 'zoe@example.com', password })
    expect((await check('x')).status).toBe(401)
    const { status, body } = await check('Demo-1234')
    expect(status).toBe(200)
    const authorization = `Bearer ${body.token}`
    expect(await portal.call(null, 'DELETE', '/users/me/?profile=all', undefined, { authorization })).toMatchObject({ status: 200 })
    expect((await check('Demo-1234')).status).toBe(401)
  })

  test('R-7.22 erasing the account with the most data leaves all other accounts unchanged', async () => {
    await using portal = await startPortal()
    const others = async () => [
      (await portal.call('bruno@example.com', 'GET', '/users/me/')).body,
      (await portal.call('haruka@example.com', 'GET', '/devices/?type=tracker')).body,
    ]
    const [before, users, all] = [await others(), await count(portal, accounts.users), await count(portal, accounts.accounts)]
    expect((await erase(portal, 'alice@example.com')).status).toBe(200)
    expect(await others()).toEqual(before)
    expect([await count(portal, accounts.users), await count(portal, accounts.accounts)]).toEqual([users - 1, all - 1])
    expect(await rowsOf(portal, 'account_id', [1])).toEqual({})
    expect(
      await rowsOf(
        portal,
        'device_id',
        Array.from({ length: 18 }, (_, index) => index + 1),
      ),
    ).toEqual({})
    expect(findOrphans(portal.world.db)).toEqual([])
  })

  test('R-7.22 trackers of an erased account can be added to other accounts', async () => {
    await using portal = await startPortal()
    const trackers = (await portal.call('zoe@example.com', 'GET', '/devices/?type=tracker')).body as {
      identifier: string
      serial: string
    }[]
    await erase(portal, 'zoe@example.com')
    const inStock = await portal.world.db.read.select().from(stockItems)
    expect(trackers).toHaveLength(2)
    for (const { identifier, serial } of trackers)
      expect(inStock).toContainEqual(expect.objectContaining({ identifier: identifier.replace('-', ''), serial }))
  })

  test('R-7.22 the address of an erased account can register again', async () => {
    await using portal = await startPortal()
    await erase(portal, 'zoe@example.com')
    const again = { email: 'zoe@example.com', password: 'Fresh-123', first_name: 'Zoe', last_name: 'Again' }
    expect((await portal.call(null, 'POST', '/users/register', again)).status).toBe(201)
    expect((await portal.call('zoe@example.com', 'GET', '/devices/?type=tracker')).body).toEqual([])
  })

  test('R-7.22 ids of an erased account are not reused for the next one', async () => {
    await using portal = await startPortal()
    const register = async (name: string) => {
      const person = { email: `${name}@example.org`, password: 'Fresh-123', first_name: name, last_name: 'Novak' }
      expect((await portal.call(null, 'POST', '/users/register', person)).status).toBe(201)
      const [row] = await portal.world.db.read.select().from(accounts.users).where(eq(accounts.users.email, person.email))
      return row!
    }
    const nina = await register('nina')
    await erase(portal, nina.email)
    const otto = await register('otto')
    expect([otto.id, otto.accountId]).toEqual([nina.id + 1, nina.accountId + 1])
  })

  test('R-7.22 erasing without the query profile=all is refused and deletes nothing', async () => {
    await using portal = await startPortal()
    const rows = ['', '?profile=me', '?profile=']
    expect(
      await collectFailures(rows, String, async (query) => {
        expect(await erase(portal, 'zoe@example.com', query)).toMatchObject({ status: 400, body: { code: 'profile_required' } })
        expect((await portal.call('zoe@example.com', 'GET', '/users/me/')).status).toBe(200)
      }),
    ).toEqual([])
  })

  test.each(['admin@pro.example.com', 'support@example.com'])('%s cannot erase itself', async (email) => {
    await using portal = await startPortal()
    const users = await count(portal, accounts.users)
    expect(await erase(portal, email)).toMatchObject({ status: 409, body: { code: 'pro_account' } })
    expect(await count(portal, accounts.users)).toBe(users)
  })

  test('a pro member who erases themselves leaves the account and its trackers', async () => {
    await using portal = await startPortal()
    const token = await portal.token('member@pro.example.com')
    const before = (await portal.call('admin@pro.example.com', 'GET', '/devices/?type=tracker')).body
    expect((await erase(portal, 'member@pro.example.com')).status).toBe(200)
    expect((await portal.call('admin@pro.example.com', 'GET', '/devices/?type=tracker')).body).toEqual(before)
    expect(await rowsOf(portal, 'user_id', [14])).toEqual({})
    expect((await portal.call(null, 'GET', '/options/', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
  })

  test('R-7.22 erasing needs a session', async () => {
    await using portal = await startPortal()
    expect((await portal.call(null, 'DELETE', '/users/me/?profile=all')).status).toBe(401)
  })
})

test('the invoices of an erased account stay in the archive as printed, without a reference to the account', async () => {
  await using portal = await startPortal()
  const { body: before } = await portal.call('alice@example.com', 'GET', '/users/invoices/')
  expect(before.length).toBeGreaterThan(0)
  expect((await portal.call('alice@example.com', 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  const archived = await listArchivedInvoices(portal.world.db.read)
  expect(archived.map(({ number }) => number).sort()).toEqual(before.map(({ number }: { number: string }) => number).sort())
  for (const row of archived) {
    expect(row.billedTo).toMatch(/^Alice .+, alice@example\.com$/)
    expect(Object.keys(row).sort()).toEqual(
      [
        'amount',
        'archivedAt',
        'balance',
        'billedTo',
        'currency',
        'date',
        'id',
        'lines',
        'number',
        'orderReference',
        'status',
        'tax',
      ].sort(),
    )
  }
  await portal.world.db.write('everything', (tx) => removeArchivedInvoices(tx, new Date('2100-01-01')))
  expect(await listArchivedInvoices(portal.world.db.read)).toEqual([])
})

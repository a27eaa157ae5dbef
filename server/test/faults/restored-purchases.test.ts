import path from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/sqlite/open.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { payCheckout } from '#server/test/test-payments-world.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'
import { startProvider } from './test-provider.ts'

const { email, password } = PERSONAS[0]!
const { oldTracker } = SEED.devices

const BOUGHT = `select s.device_id, s.price_id, s.provider_id, s.status, o.reference, o.total, i.number, i.amount, i.status as paid, i.provider_id as invoice
  from subscriptions s join orders o on o.account_id = 1 join invoices i on i.order_reference = o.reference
  where s.device_id = ${oldTracker} and s.provider_id like 'sub_test_%' and i.provider_id like 'in_test_%'`

// server/test/postgres/restore.test.ts does the same with PostgreSQL, which is restored by its own tool.
test('what was bought after a backup is back once after its restore, with its order, its invoice and its number', async () => {
  using provider = await startProvider()
  using installed = await createInstallation()
  installed.seed()
  const backup = path.join(installed.data, 'backup.db')
  const read = (sql: string) => {
    const { raw, close } = openSqlite(installed.file)
    const rows = raw.prepare(sql).all()
    close()
    return rows
  }
  async function serve() {
    const port = await findFreePort()
    const server = installed.start('server/main.ts', { PORT: String(port), LOG_LEVEL: 'error', ...provider.env })
    await server.says('listening')
    const post = async (to: string, headers: Record<string, string>, body: string) => {
      const headersOfJson = { 'content-type': 'application/json', ...headers }
      const response = await fetch(`http://127.0.0.1:${port}${to}`, { method: 'POST', headers: headersOfJson, body })
      expect([to, response.status]).toEqual([to, 200])
      return response
    }
    return { ...server, post }
  }
  const first = await serve()
  expect(await installed.start('server/backup.ts', {}, [backup]).ended).toMatchObject({ code: 0 })
  const { token } = await (await first.post('/api/v1/auth/web_get_token/', {}, JSON.stringify({ username: email, password }))).json()
  const cart = { items: [{ device: oldTracker, price: 'eur-1m' }], options: [], success_path: '/', cancel_path: '/' }
  const { id } = await (await first.post('/users/payment_session/', { authorization: `Bearer ${token}` }, JSON.stringify(cart))).json()
  expect(payCheckout({ stripe: provider.fake }, id, '4242 4242 4242 4242').outcome).toBe('paid')
  for (const event of provider.fake.takeEvents()) {
    const { payload, signature } = provider.fake.sign(event)
    await first.post('/stripe/webhook/', { 'stripe-signature': signature }, payload)
  }
  await expect.poll(() => read(BOUGHT).length).toBe(1)
  const before = read(BOUGHT)
  const counts = () => read('select (select count(*) from orders) as orders, (select count(*) from invoices) as invoices')
  const known = counts()
  first.signal('SIGTERM')
  await first.ended

  expect(await installed.start('server/restore.ts', {}, [backup]).ended).toMatchObject({ code: 0 })
  expect(read(BOUGHT)).toEqual([])
  for (let run = 0; run < 2; run++) {
    const server = await serve()
    await expect.poll(() => read(BOUGHT)).toEqual(before)
    server.signal('SIGTERM')
    await server.ended
  }
  expect(counts()).toEqual(known)
})

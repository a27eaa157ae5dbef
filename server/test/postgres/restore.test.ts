import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { readEndings } from '#server/recovery/endings-file.ts'
import { ENDED, findNothingBack, liveAfterBackup, liveUntilBackup } from '#server/recovery/test-lost-day.ts'
import { startProvider } from '#server/test/faults/test-provider.ts'
import { payCheckout } from '#server/test/test-payments-world.ts'
import { startSmtp } from '#server/test/test-smtp.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { signIn } from './streams.ts'

const copy = (cluster: Cluster, from: string, to: string) => cluster.queryOf('postgres', `create database ${to} template ${from}`)

async function restoreBackup(cluster: Cluster) {
  await cluster.queryOf('postgres', 'drop database portal')
  await copy(cluster, 'backup', 'portal')
  const { code, out } = await cluster.operate('after-restore')
  expect(code).toBe(0)
  return out
}

test('after a restore of PostgreSQL, the operator ends again what people had ended, and no mail is sent twice', async () => {
  await using smtp = await startSmtp()
  // Mails wait until after the restore, because this port has no mail server yet.
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', REQUIRE_SECOND_FACTOR: 'off' }
  await using cluster = await startCluster({ servers: 1, env, isRecorded: false })
  const [url] = cluster.urls() as [string]
  const list = path.join(cluster.data, 'endings.jsonl')
  const before = await liveUntilBackup(url)

  await cluster.restart(() => copy(cluster, 'portal', 'backup'))
  await liveAfterBackup(url, before)
  const kinds = () => (existsSync(list) ? readEndings(list)! : []).map(({ kind }) => kind)
  await expect.poll(kinds).toEqual(expect.arrayContaining(ENDED))

  env.SMTP_URL = smtp.url
  await cluster.restart(async () => {
    const out = await restoreBackup(cluster)
    expect(out).toContain('Ended again: 1 erased users.')
    expect(out).toMatch(/Held: [1-9]\d* mails/)
  })
  await findNothingBack(url, before, smtp.taken)
  expect(
    await cluster.query("select 1 from users where email = 'zoe@example.com' union select 1 from devices where account_id = 11"),
  ).toEqual([])
})

const { oldTracker, puppy } = SEED.devices

/** The paid invoices of alice with their orders, and the plans of her trackers, without generated ids. */
const listPurchases = async (cluster: Cluster) => ({
  invoices: await cluster.query(`select i.number, i.amount, i.status, i.provider_id, o.reference, o.total, o.status as state
    from invoices i join orders o on o.reference = i.order_reference where i.account_id = 1 and i.provider_id like 'in_test_%' order by i.number`),
  plans: await cluster.query(`select s.device_id, s.price_id, s.provider_id, s.status, s.ends_at, d.sub_end_date
    from subscriptions s join devices d on d.id = s.device_id where d.account_id = 1 order by s.device_id, s.started_at, s.price_id`),
})

const countAll = (cluster: Cluster) =>
  cluster.query(`select (select count(*) from orders) as orders, (select count(*) from invoices) as invoices, (select count(*) from subscriptions) as plans,
    (select count(*) from stock_items where is_claimed) as claimed,
    (select count(*) from stock_items s where is_claimed <> exists (select 1 from devices d where d.identifier = s.identifier)) as wrong`)

test('what was bought after a backup of PostgreSQL is granted once by the servers that start after its restore', {
  timeout: 600_000,
}, async () => {
  using provider = await startProvider()
  await using cluster = await startCluster({ servers: 2, env: { ...provider.env }, isRecorded: false })
  await cluster.restart(() => copy(cluster, 'portal', 'backup'))
  const [url] = cluster.urls() as [string]
  const session = await signIn(url, 'alice@example.com')
  const post = async (path: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
    expect([path, response.status]).toEqual([path, 200])
    return response
  }
  for (const item of [
    { device: oldTracker, price: 'eur-1m' },
    { device: puppy, price: 'eur-12m-once' },
  ]) {
    const cart = { items: [item], options: [], success_path: '/', cancel_path: '/' }
    const { id } = await (await post('/users/payment_session/', session, JSON.stringify(cart))).json()
    expect(payCheckout({ stripe: provider.fake }, id, '4242 4242 4242 4242').outcome).toBe('paid')
    for (const event of provider.fake.takeEvents()) {
      const { payload, signature } = provider.fake.sign(event)
      await post('/stripe/webhook/', { 'stripe-signature': signature }, payload)
    }
  }
  await cluster.waitUntil(async () => (await listPurchases(cluster)).invoices.length === 2, 'both purchases are granted')
  const [before, counts] = [await listPurchases(cluster), await countAll(cluster)]
  expect(counts).toMatchObject([{ wrong: 0 }])

  await cluster.restart(async () => {
    await restoreBackup(cluster)
    expect((await listPurchases(cluster)).invoices).toEqual([])
  })
  await expect.poll(() => listPurchases(cluster), { timeout: 60_000 }).toEqual(before)
  const { code, out } = await cluster.operate('reconcile', '--since=2026-01-01')
  expect([code, out]).toEqual([0, expect.stringContaining('0 purchases restored')])
  await cluster.restart(async () => {})
  expect(await listPurchases(cluster)).toEqual(before)
  expect(await countAll(cluster)).toEqual(counts)
})

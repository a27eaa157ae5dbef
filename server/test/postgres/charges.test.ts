import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startProvider } from '#server/test/faults/test-provider.ts'
import { payCheckout } from '#server/test/test-payments-world.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { RUNS, report } from './fault-runs.ts'
import { addTrackers, FIRST_ID, listOwners } from './senders.ts'
import { signIn } from './streams.ts'

const OWNERS = 8
const TRACKERS_OF_OWNER = 100
const RETRY_MS = 40
const PATIENCE_MS = 60_000
/** On a busy machine a call may take more than its ten seconds: then all wait for at most a minute, some of them more than once. */
const PAUSED_MS = 240_000

type Provider = Awaited<ReturnType<typeof startProvider>>

type Buyer = { session: Record<string, string>; trackers: number[]; price: string }

/** Owners who buy one subscription after the other; each request is repeated at the next server until one responds. */
function startBuyers({ urls }: Cluster, { fake }: Provider, buyers: Buyer[]) {
  let isStopping = false
  const bought = new Map<number, string>()
  const seen = { refused: 0, lost: 0 }

  async function post(path: string, headers: Record<string, string>, body: string, turn: number): Promise<{ id: string }> {
    for (let nth = turn; ; nth++) {
      const url = `${urls()[nth % urls().length]}${path}`
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        if (response.status < 300) return (await response.json()) as { id: string }
        const text = await response.text()
        if (response.status < 500) throw new TypeError(`${path}: ${response.status} ${text}`)
        seen.refused++
      } catch (error) {
        if (error instanceof TypeError && error.message.startsWith(path)) throw error
        seen.lost++
      }
      await delay(RETRY_MS)
    }
  }

  async function buy({ session, price }: Buyer, device: number, turn: number) {
    const cart = { items: [{ device, price }], options: [], success_path: '/', cancel_path: '/' }
    const { id } = await post('/users/payment_session/', session, JSON.stringify(cart), turn)
    payCheckout({ stripe: fake }, id, '4242 4242 4242 4242')
    bought.set(device, String(fake.findSession(id)?.subscription))
    for (const event of fake.takeEvents()) {
      const { payload, signature } = fake.sign(event)
      await post('/stripe/webhook/', { 'stripe-signature': signature }, payload, turn)
    }
  }

  const running = buyers.map(async (buyer, nth) => {
    for (const device of buyer.trackers) if (!isStopping) await buy(buyer, device, nth + device)
  })
  return {
    bought,
    seen,
    stop() {
      isStopping = true
      return Promise.all(running)
    },
  }
}

test('servers killed while owners pay charge each of them once and lose no subscription', { timeout: 900_000 }, async () => {
  using provider = await startProvider()
  await using cluster = await startCluster({ env: provider.env, isRecorded: false })
  const owners = await listOwners(cluster, OWNERS)
  await addTrackers(cluster, OWNERS * TRACKERS_OF_OWNER, owners)
  const sessions = await Promise.all(owners.map(({ email }) => signIn(cluster.urls()[0]!, email)))
  const devices = await cluster.query<{ id: number; account: number }>(
    `update devices set sub_state = 'ended', sub_end_date = null where id >= ${FIRST_ID} returning id::int, account_id::int as account`,
  )
  // A running subscription fixes the currency of its owner.
  const currencies = await cluster.query<{ account: number; currency: string }>(
    `select account_id::int as account, min(split_part(price_id, '-', 1)) as currency from subscriptions
      join devices on devices.id = device_id where provider_id is not null group by 1`,
  )
  const priceOf = (accountId: number) => `${currencies.find(({ account }) => account === accountId)?.currency ?? 'eur'}-1m`
  const before = Date.now()
  const charges = await provider.countCharges()
  const buyers = startBuyers(
    cluster,
    provider,
    owners.map(({ accountId }, nth) => ({
      session: sessions[nth]!,
      price: priceOf(accountId),
      trackers: devices.filter(({ account }) => account === accountId).map(({ id }) => id),
    })),
  )
  await cluster.waitUntil(() => buyers.bought.size > OWNERS, 'the first trackers are paid')
  for (let run = 0; run < (RUNS || 2); run++) {
    await delay(Math.random() * 300)
    await cluster.replace(run % 2)
  }
  await buyers.stop()

  const count = async (from: string) => Number((await cluster.query<{ n: string }>(`select count(*) as n from ${from}`))[0]?.n)
  const { bought } = buyers
  await cluster.waitUntil(
    async () => (await count('payment_events where handled_at is null')) === 0,
    'all events of the provider are worked',
    PAUSED_MS,
  )
  const granted = await cluster.query<{ device: number; provider: string; status: string }>(
    `select device_id::int as device, provider_id as provider, status from subscriptions where device_id >= ${FIRST_ID} order by device_id`,
  )
  const counts = {
    charges: (await provider.countCharges()) - charges,
    orders: await count(`orders where date >= ${before - 1000}`),
    invoices: await count(`invoices where date >= ${before - 1000}`),
    receipts: await count(`emails where template = 'receipt' and created_at >= ${before}`),
  }
  report(`${bought.size} paid, ${granted.length} subscriptions, ${JSON.stringify({ ...counts, ...buyers.seen })}`)
  const wanted = [...bought].sort(([a], [b]) => a - b).map(([device, id]) => ({ device, provider: id, status: 'active' }))
  expect(granted).toEqual(wanted)
  expect(counts).toEqual({ charges: bought.size, orders: bought.size, invoices: bought.size, receipts: bought.size })
})

import type { operatorPrices as contract, OperatorPrice, PriceChange, PriceChangeState } from '#contracts/operator/prices.ts'
import { minorUnitDigits } from '#contracts/rules/price.ts'
import { PRICE_NOTICE_DAYS } from '#contracts/rules/prices/price-changes.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import {
  countNotices,
  findPriceChange,
  insertPriceChange,
  keepRenewalAmounts,
  listPriceChanges,
  listToApply,
  listUnapplied,
  type PriceChangeRow,
  updatePriceChange,
} from '#server/billing/price-changes/price-changes.store.ts'
import type { parsePrices } from '#server/billing/records/price-list.ts'
import { holdAmounts, listPrices, savePrices } from '#server/billing/records/prices.store.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'
import { type PlannedChange, planChange, previewChange } from './plan-change.ts'

const PAGE_SIZE = 50

export type PricePorts = DeedPorts & Pick<World, 'priceNoticeDays'>
type ReadPorts = Pick<World, 'db' | 'clock' | 'priceNoticeDays'>

const findState = ({ cancelledAt, startsAt }: PriceChangeRow, now: Date): PriceChangeState =>
  cancelledAt ? 'withdrawn' : startsAt > now ? 'coming' : 'begun'

async function present(db: DbReader, rows: readonly PriceChangeRow[], now: Date): Promise<PriceChange[]> {
  const counts = await countNotices(
    db,
    rows.map(({ id }) => id),
  )
  const currencies = new Map((await listPrices(db)).map(({ id, currency }) => [id, currency]))
  return rows.map((row) => {
    const { noticed = 0, changed = 0, failing = 0 } = counts.get(row.id) ?? {}
    return {
      id: row.id,
      price: row.priceId,
      currency: currencies.get(row.priceId) ?? 'eur',
      amount: row.unitAmount,
      former_amount: row.formerAmount,
      from: formatInstant(row.startsAt),
      running: row.running,
      state: findState(row, now),
      mails_from: row.running === 'change' ? formatInstant(row.noticeAt) : null,
      noticed,
      changed,
      failing,
      created_at: formatInstant(row.createdAt),
      created_by: row.createdBy,
    }
  })
}

/** All prices: a few for each currency, so the list needs no pages. */
export async function readPrices({ db, clock, priceNoticeDays }: ReadPorts): Promise<{ prices: OperatorPrice[]; notice_days: number }> {
  const now = clock.now()
  const rows = await holdAmounts(db.read, await listPrices(db.read), now)
  const coming = await present(
    db.read,
    (await listUnapplied(db.read)).filter(({ startsAt }) => startsAt > now),
    now,
  )
  const prices = rows.map((row) => ({
    id: row.id,
    type: row.type,
    name: row.name,
    currency: row.currency,
    amount: row.unitAmount,
    tax_behavior: row.taxBehavior,
    recurring: row.interval && { interval: row.interval, interval_count: row.intervalCount ?? 1 },
    months: row.months,
    is_offered: row.isOffered,
    coming: coming.filter(({ price }) => price === row.id),
  }))
  const order = [...prices.filter((price) => price.is_offered), ...prices.filter((price) => !price.is_offered)]
  return { prices: order, notice_days: priceNoticeDays ?? PRICE_NOTICE_DAYS.usual }
}

type Query = { before?: string | undefined; price?: string | undefined; state?: PriceChangeState | undefined }

export async function readPriceChanges({ db, clock }: ReadPorts, { before, price: priceId, state }: Query) {
  const [at = 0, id = 0] = (before ?? '').split('-').map(Number)
  const now = clock.now()
  const after = before === undefined ? undefined : { at: new Date(at), id }
  const rows = await listPriceChanges(db.read, { before: after, priceId, state }, now, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  return {
    changes: await present(db.read, page, now),
    next: rows.length > PAGE_SIZE && last ? `${last.startsAt.getTime()}-${last.id}` : null,
  }
}

const write = (amount: number, currency: string) => (amount / 10 ** minorUnitDigits(currency)).toFixed(minorUnitDigits(currency))

/** The details of a deed. */
const describe = (currency: string, amount: number, startsAt: Date) => ({
  amount: write(amount, currency),
  currency: currency.toUpperCase(),
  from: formatInstant(startsAt).slice(0, 10),
})

/** Sets what a price costs from an instant on. Throws as `planChange` does. */
export const setPrice = (ports: PricePorts, body: PlannedChange) =>
  doDeed(ports, [`price:${body.price}`], async (tx) => {
    const now = ports.clock.now()
    const { price, startsAt, noticeAt, noticeDays } = await planChange(tx, body, { now, noticeDays: ports.priceNoticeDays })
    const row = await insertPriceChange(tx, {
      ...{ priceId: price.id, unitAmount: body.amount, formerAmount: price.unitAmount, startsAt, running: body.running },
      ...{ noticeAt, noticeDays, noticedAt: body.running === 'keep' ? now : null, createdAt: now, createdBy: ports.actor.who },
    })
    const detail = {
      ...describe(price.currency, body.amount, startsAt),
      former: write(price.unitAmount, price.currency),
      running: body.running,
    }
    const [response] = await present(tx, [row], now)
    return { deed: { kind: 'price_set', subject: price.id, detail }, response: response! }
  })

/** Withdraws a coming amount. Throws `not_found`, and `wrong_step` with its state once it holds or was withdrawn. */
export const cancelPrice = (ports: PricePorts, id: number) =>
  doDeed(
    ports,
    async (db) => {
      const change = await findPriceChange(db, id)
      return change ? [`price:${change.priceId}` as const] : []
    },
    async (tx) => {
      const now = ports.clock.now()
      const found = await findPriceChange(tx, id)
      if (!found) throw new Failure('not_found')
      const state = findState(found, now)
      if (state !== 'coming') throw new Failure('wrong_step', { state })
      const row = await updatePriceChange(tx, id, { cancelledAt: now })
      const [response] = await present(tx, [row], now)
      const detail = describe(response!.currency, row.unitAmount, row.startsAt)
      return { deed: { kind: 'price_withdrawn', subject: row.priceId, detail }, response: response! }
    },
  )

/**
 * Replaces what is on sale by a list. Running renewals keep what they cost; each other amount is in the history of prices. Amounts that are
 * coming stay planned. Runs alone, so that no checkout reads half of the list.
 */
export const replacePrices = (ports: DeedPorts, rows: ReturnType<typeof parsePrices>, name: string) =>
  doDeed(ports, 'everything', async (tx) => {
    const now = ports.clock.now()
    const known = new Map((await holdAmounts(tx, await listPrices(tx), now)).map((price) => [price.id, price]))
    for (const { id } of await listToApply(tx, now)) await updatePriceChange(tx, id, { appliedAt: now })
    let changed = 0
    for (const { id, unitAmount } of rows) {
      const former = known.get(id)
      if (!former || former.unitAmount === unitAmount) continue
      changed++
      await keepRenewalAmounts(tx, former)
      await insertPriceChange(tx, {
        ...{ priceId: id, unitAmount, formerAmount: former.unitAmount, startsAt: now, running: 'keep', noticeAt: now, noticeDays: 0 },
        ...{ noticedAt: now, appliedAt: now, createdAt: now, createdBy: ports.actor.who },
      })
    }
    await savePrices(tx, rows)
    const detail = { number: rows.length, changed }
    return { deed: { kind: 'prices_replaced', subject: name, detail }, response: { number: rows.length, changed } }
  })

export const operatorPrices: Handlers<typeof contract> = {
  list: (_, context) => readPrices(context),
  changes: ({ query }, context) => readPriceChanges(context, query),
  preview: ({ body }, { db, clock, priceNoticeDays }) => previewChange(db.read, body, { now: clock.now(), noticeDays: priceNoticeDays }),
  set: ({ body }, context) => setPrice(context, body),
  cancel: ({ params }, context) => cancelPrice(context, params.id),
}

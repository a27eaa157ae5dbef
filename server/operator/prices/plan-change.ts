import type * as z from 'zod/mini'
import type { NewPriceChange, PricePreview } from '#contracts/operator/prices.ts'
import { chargeStep } from '#contracts/rules/price.ts'
import { earliestForRunning, nextRenewal, noticeStart, PRICE_NOTICE_DAYS, perYear } from '#contracts/rules/prices/price-changes.ts'
import { addMonths } from '#contracts/rules/subscription.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { listBeginning } from '#server/billing/price-changes/price-changes.store.ts'
import { findPricesById, type PriceRow } from '#server/billing/records/subscriptions.store.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { countRenewals, findRenewalBetween } from './preview.store.ts'

export type PlannedChange = z.output<typeof NewPriceChange>
export type Times = { now: Date; noticeDays: number | undefined }

/**
 * Checks a new amount and counts what it would meet. Throws `not_found`, `price_planned` when another amount begins on the same day (UTC),
 * and `validation_error` for an amount that cannot be charged, for a day in the past, and for a rise without its days of notice.
 */
export async function planChange(
  db: DbReader,
  { price: id, amount, from, running }: PlannedChange,
  { now, noticeDays = PRICE_NOTICE_DAYS.usual }: Times,
) {
  const startsAt = from === undefined ? now : new Date(from)
  if (startsAt < now) throw invalidField('from', 'is in the past')
  const price = (await findPricesById(db, [id], startsAt)).get(id)
  if (!price) throw new Failure('not_found')
  const step = chargeStep(price.currency)
  if (amount % step !== 0) throw invalidField('amount', `${price.currency} is charged in whole units, so give a multiple of ${step}`)
  if (running === 'change' && price.interval === null) throw invalidField('running', 'this price does not renew')
  const day = new Date(startsAt.getTime() - (startsAt.getTime() % DAY_MS))
  const [known] = await listBeginning(db, id, day, new Date(day.getTime() + DAY_MS))
  if (known) throw new Failure('price_planned', { amount: known.unitAmount, from: formatInstant(known.startsAt), who: known.createdBy })
  const found = await countRenewals(db, price, amount)
  const isForRunning = running === 'change'
  const isUnchanged = amount === price.unitAmount && (!isForRunning || found.changed === 0)
  if (isUnchanged) throw invalidField('amount', 'holds already')
  const isRise = found.lowest !== null && amount > found.lowest
  const earliest = earliestForRunning(isRise, now, noticeDays)
  if (isForRunning && startsAt < earliest)
    throw invalidField('from', `a rise holds for running renewals from ${formatInstant(earliest)} at the earliest`)
  return { price, startsAt, noticeDays, noticeAt: isForRunning ? noticeStart(startsAt, now, noticeDays) : startsAt, found }
}

export async function previewChange(db: DbReader, body: PlannedChange, times: Times): Promise<PricePreview> {
  const { price, startsAt, noticeAt, found } = await planChange(db, body, times)
  const isForRunning = body.running === 'change'
  const first = isForRunning && found.changed > 0 ? await findFirstRenewal(db, price, startsAt) : null
  const isMailed = isForRunning && found.owners > 0
  return {
    price: price.id,
    currency: price.currency,
    former_amount: price.unitAmount,
    amount: body.amount,
    from: formatInstant(startsAt),
    renewing: found.renewing,
    changed: isForRunning ? found.changed : 0,
    holding: found.renewing - found.changed,
    owners: isForRunning ? found.owners : 0,
    first_renewal: first && formatInstant(first),
    year_before: perYear(found.sum, price.months),
    year_after: perYear(isForRunning ? found.renewing * body.amount : found.sum, price.months),
    mails: isMailed ? found.owners : 0,
    mails_from: isMailed ? formatInstant(noticeAt) : null,
  }
}

/** The first renewal from an instant on. Renewals before it come again after some periods: the earliest of each period is enough. */
async function findFirstRenewal(db: DbReader, price: PriceRow, from: Date) {
  const candidates: Date[] = []
  const later = await findRenewalBetween(db, price, from, null)
  if (later) candidates.push(later)
  let before = from
  for (let periods = 1; price.months > 0 && (await findRenewalBetween(db, price, null, before)); periods++) {
    const since = addMonths(from, -periods * price.months)
    const earlier = await findRenewalBetween(db, price, since, before)
    if (earlier) candidates.push(nextRenewal(earlier, price.months, from))
    before = since
  }
  return candidates.length > 0 ? new Date(Math.min(...candidates.map((at) => at.getTime()))) : null
}

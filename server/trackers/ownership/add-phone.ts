import { computeEndDate } from '#contracts/rules/subscription.ts'
import { PHONE_HEAD } from '#contracts/rules/tracking/tracker.ts'
import type { NewPhone } from '#contracts/trackers/phones.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { Ids } from '#server/ports/ids.ts'
import type { World } from '#server/ports/world.ts'
import { takeIncludedMonths } from '#server/stock/included-months.ts'
import { startSubscription, updateDevice } from '#server/trackers/records/devices.store.ts'
import { areNumbersTaken } from '#server/trackers/serials/numbers.store.ts'
import { createTracker } from './add-tracker.ts'

/** Adds a phone with an identifier of its own. The first phone of an account starts its included months at once. */
export async function addPhone(
  tx: Tx,
  accountId: number,
  phone: NewPhone,
  { clock, ids, claims }: Pick<World, 'clock' | 'ids' | 'claims'>,
) {
  const now = clock.now()
  const identifier = await chooseIdentifier(tx, ids)
  const numbers = { identifier, type: 'tracker_01', operator: 'none', subState: 'none' } as const
  const device = await createTracker(tx, { accountId, ...phone, ...numbers }, now)
  const months = await takeIncludedMonths(tx, { key: `phone:${accountId}`, months: claims.phoneMonths, now })
  const endOf = (whole: number) => computeEndDate(now, null, whole, 0)
  const subEndDate = await startSubscription(tx, { deviceId: device.id, months, startedAt: now, endOf })
  if (subEndDate) await updateDevice(tx, device.id, { subState: 'active', subEndDate })
  return device
}

const PHONE_DIGITS = 8

async function chooseIdentifier(db: DbReader, ids: Ids): Promise<string> {
  const random = Number.parseInt(ids.token().slice(0, 12), 16) % 10 ** PHONE_DIGITS
  const identifier = PHONE_HEAD + String(random).padStart(PHONE_DIGITS, '0')
  return (await areNumbersTaken(db, { identifiers: [identifier], serials: [] })) ? chooseIdentifier(db, ids) : identifier
}

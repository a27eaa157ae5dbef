import { computeEndDate, currentSubState, isUnlimited } from '#contracts/rules/subscription.ts'
import { normalizeVerificationCode } from '#contracts/rules/text.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { presentSubscription, toIso } from '#server/billing/records/subscriptions.present.ts'
import {
  activateDevice,
  addSubscription,
  findCode,
  findDevice,
  findSubscription,
  markCodeUsed,
  type SubscriptionRow,
  stopRenewals,
  withoutRenewal,
} from '#server/billing/records/subscriptions.store.ts'
import { getOwnedDevice } from '#server/devices/get-device.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'

/** Codes have 8 characters; a person who mistypes one needs few attempts. */
const CODE_ATTEMPTS = { max: 30, windowMinutes: 60 }

/**
 * Links the subscription of a verification code. Like a purchase, it replaces what renewed the tracker. Sending the same code for the same
 * tracker again changes nothing.
 */
export async function linkByCode({ db, viewer, clock, limits }: ViewerContext, deviceId: number, text: string | undefined) {
  const owned = await getOwnedDevice({ db, viewer }, deviceId)
  if (!text?.trim()) throw new Failure('code_required')
  if (owned.isLinkedToPro) throw new Failure('device_linked_to_pro')
  const code = normalizeVerificationCode(text)
  const now = clock.now()
  const tries = `code:${viewer.accountId}`
  if (limits.credentials) await writeDevices(db, [`throttle:${tries}`], (tx) => countAttempt(tx, tries, CODE_ATTEMPTS, now))
  return writeDevices(db, [`account:${viewer.accountId}`, `code:${code}`], async (tx, touch) => {
    const device = await findDevice(tx, owned.id)
    const known = code === null ? undefined : await findCode(tx, code)
    if (!device || !known?.months) throw new Failure('no_subscription')
    if (known.usedAt) {
      const current = known.deviceId === device.id ? await findSubscription(tx, device.id) : undefined
      if (!current) throw new Failure('no_subscription')
      return presentLinkedSubscription({ ...device, subState: currentSubState(device.subState, device.subEndDate, now) }, current)
    }
    const { months, extra } = { months: known.months, extra: known.extra ?? 0 }
    const endsAt = isUnlimited(device.subState, device.subEndDate) ? null : computeEndDate(now, device.subEndDate, months, extra)
    const options = (await findSubscription(tx, device.id))?.options ?? []
    await markCodeUsed(tx, known.code, device.id, now)
    await stopRenewals(tx, device.id, now)
    await activateDevice(tx, device.id, endsAt)
    const added = await addSubscription(tx, { ...withoutRenewal, deviceId: device.id, months, extra, endsAt, options, startedAt: now })
    touch(device)
    return presentLinkedSubscription({ ...device, subState: 'active', subEndDate: endsAt }, added)
  })
}

const presentLinkedSubscription = (device: Pick<DeviceRow, 'id' | 'subState' | 'subEndDate'>, subscription: SubscriptionRow) => ({
  device: device.id,
  sub_state: device.subState,
  sub_end_date: toIso(device.subEndDate),
  subscription: presentSubscription(subscription),
})

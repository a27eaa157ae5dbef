import type { FiringKind } from '#contracts/firings.ts'
import { findQuietEnd } from '#contracts/rules/local-day.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { type findQuietUser, holdAlert, listQuietUsers } from './quiet-hours.store.ts'

type Occurrence = { device: DeviceRow; kind: FiringKind; at: Date; place: string | null }

/** Whether an alert waits for no morning: a vehicle moves, or the tracker is in lost mode. */
export const isUrgent = ({ mode }: Pick<DeviceRow, 'mode'>, kind: FiringKind) => kind === 'vehicle_alert' || modeLabel(mode).kind === 'lost'

/** Holds the alert back for recipients who have quiet hours now, unless it is urgent; returns the addresses that get it at once. */
export async function holdForQuietHours(tx: Tx, recipients: string[], { device, kind, at, place }: Occurrence, now: Date) {
  if (recipients.length === 0 || isUrgent(device, kind)) return recipients
  const held = new Set<string>()
  for (const user of await listQuietUsers(tx, device.accountId, recipients)) {
    const until = endOfQuiet(user, now)
    if (!until) continue
    await holdAlert(tx, { userId: user.id, accountId: device.accountId, deviceId: device.id, at, kind, place, until })
    held.add(user.email)
  }
  return recipients.filter((email) => !held.has(email))
}

type QuietUser = Pick<NonNullable<Awaited<ReturnType<typeof findQuietUser>>>, 'from' | 'to' | 'timeZone'>

/** When the user's quiet hours end; null outside of them. */
export function endOfQuiet({ from, to, timeZone }: QuietUser, now: Date) {
  const end = from !== null && to !== null && findQuietEnd(now.getTime(), { from, to }, timeZone ?? 'UTC')
  return end ? new Date(end) : null
}

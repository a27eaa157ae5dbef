import { NETWORK_SILENCE_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { silentSince } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceFacts } from './devices.present.ts'

/** When (ms) a tracker's wire form changes without a write: the end of its subscription, network silence, boost or last link. */
export function validUntil({ device, linkEndsAt }: DeviceFacts, now: Date) {
  const { subEndDate, boostUntil } = device
  const since = silentSince(device)
  const turns = [
    subEndDate && subEndDate.getTime() + 1,
    since && since.getTime() + NETWORK_SILENCE_DAYS * DAY_MS + 1,
    boostUntil?.getTime(),
    linkEndsAt?.getTime(),
  ]
  return Math.min(...turns.map((turn) => (turn && turn > now.getTime() ? turn : Number.POSITIVE_INFINITY)))
}

import { NETWORK_SILENCE_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { silenceStart } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceFacts } from './devices.present.ts'

/** When (ms) a tracker's wire form changes without a write: the end of its subscription, network silence, boost or last link. */
export function validUntil({ device, linkEndsAt }: DeviceFacts, now: Date) {
  const { subEndDate, boostUntil } = device
  const since = silenceStart(device)
  const changes = [
    subEndDate && subEndDate.getTime() + 1,
    since && since.getTime() + NETWORK_SILENCE_DAYS * DAY_MS + 1,
    boostUntil?.getTime(),
    linkEndsAt?.getTime(),
  ]
  return Math.min(...changes.map((change) => (change && change > now.getTime() ? change : Number.POSITIVE_INFINITY)))
}

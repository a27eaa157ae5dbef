import type { FiringKind } from '#contracts/firings.ts'
import type { DbReader } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { isUrgent } from '#server/alerts/quiet/hold-alerts.ts'
import { listSilencesOf } from './silences.store.ts'

type Occurrence = { device: DeviceRow; other?: DeviceRow | undefined; kind: FiringKind; place: { id: number } | null }

/** A user, or whoever has an address, such as a contact. */
type Recipient = { userId: number } | { email: string }

/**
 * Reads the silences that hold for an alert, and returns a function that says whether they silence a recipient. Urgent alerts are silenced
 * only by name of their kind.
 */
export async function findSilences(db: DbReader, { device, other, kind, place }: Occurrence, now: Date) {
  const running = await listSilencesOf(db, { devices: other ? [device, other] : [device], placeId: place?.id ?? null }, now)
  const silences = running.filter(({ kinds }) => (kinds ? kinds.includes(kind) : !isUrgent(device, kind)))
  const isForEveryone = silences.some(({ userId }) => userId === null)
  return (recipient: Recipient) =>
    isForEveryone || silences.some(({ userId, email }) => ('userId' in recipient ? userId === recipient.userId : email === recipient.email))
}

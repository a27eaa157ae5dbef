import type { PublicLink, SharedTracker, ShownTracker } from '#contracts/links.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { presentMaker } from '#db/people.ts'
import { fromFixed7, type PositionRow } from '#db/positions.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { presentFace } from '#server/trackers/records/devices.present.ts'
import type { LinkDetails, LinkRow, SharedDevice, SharedLink } from './links.store.ts'

export const presentLink = ({ link, first, others, destination, maker }: LinkDetails): PublicLink => ({
  uuid: link.uuid,
  label: link.label,
  ...presentDates(link),
  from_beginning: link.startsAt === null,
  last_point: link.showsLastPoint,
  ...(others.length > 0 && { devices: [first, ...others] }),
  ...(destination && { destination }),
  ...presentAnswer(link),
  ...presentMaker(maker),
})

/** The link with a constant uuid that opens nothing, instead of its real uuid. */
export const hideUuid = <T extends PublicLink>(link: T): T => {
  const hash = sha256(`hidden ${link.uuid}`)
  return {
    ...link,
    uuid: [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-'),
  }
}

type Shown = { tracker: SharedDevice; rows: readonly PositionRow[]; arrivesAt: Date | null | undefined; isResting: boolean }
type Destination = NonNullable<SharedTracker['destination']>

/** What the owner tells visitors. */
const presentAnswer = ({ sharedBy, phone, note }: LinkRow) => ({
  ...(sharedBy && { shared_by: sharedBy }),
  ...(phone && { phone }),
  ...(note && { note }),
})

/** A destination with its border in degrees. */
export const presentDestination = ({ name, radius, shape, ...stored }: NonNullable<SharedLink['destination']>): Destination => ({
  ...{ name, radius, lat: fromFixed7(stored.lat), lng: fromFixed7(stored.lng) },
  ...(shape && { shape }),
})

/** What visitors see: nothing that identifies the account or the hardware, and of the owner only what the link tells. */
export const presentShared = (link: LinkRow, destination: Destination | null, first: Shown, others: readonly Shown[]): SharedTracker => {
  const { tracker, ...shown } = presentShown(first)
  return {
    label: link.label,
    tracker,
    ...presentDates(link),
    last_point: link.showsLastPoint,
    ...shown,
    ...presentAnswer(link),
    ...(destination && { destination }),
    ...(others.length > 0 && { others: others.map(presentShown) }),
  }
}

function presentShown({ tracker, rows, arrivesAt, isResting }: Shown): ShownTracker {
  const { name, kind, type, icon, photo, address, positionAt } = tracker
  const positions = rows.map(presentPosition)
  // The tracker has the address of its newest position only.
  const isNewest = positionAt !== null && rows.at(-1)?.time === Math.floor(positionAt.getTime() / 1000)
  return {
    tracker: { name, kind, type, ...presentFace({ icon, photo }) },
    last_position: positions.at(-1) ?? null,
    positions,
    ...(isNewest && address && { address }),
    ...(arrivesAt && { arrives_at: formatInstant(arrivesAt) }),
    ...(isResting && { resting: true }),
  }
}

const presentDates = ({ startsAt, endsAt, isPermanent }: LinkRow) => ({
  start_date: startsAt && formatInstant(startsAt),
  end_date: formatInstant(endsAt),
  expiry: isPermanent ? null : formatInstant(endsAt),
  permanent: isPermanent,
})

const presentPosition = ({ time, lat, lng, precision }: PositionRow) => ({
  lat: fromFixed7(lat),
  lng: fromFixed7(lng),
  precision,
  datetime: formatInstant(new Date(time * 1000)),
})

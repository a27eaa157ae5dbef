import type { PublicLink, SharedTracker } from '#contracts/links.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { fromFixed7, type PositionRow } from '#db/positions.ts'
import { presentFace } from '#server/devices/devices.present.ts'
import type { LinkRow, SharedLink } from './links.store.ts'

export const presentLink = (link: LinkRow): PublicLink => ({
  uuid: link.uuid,
  label: link.label,
  ...presentDates(link),
  from_beginning: link.startsAt === null,
  last_point: link.showsLastPoint,
})

/** What visitors see: nothing that identifies the owner, the account or the hardware. */
export const presentShared = ({ link, name, kind, type, ...face }: SharedLink, rows: readonly PositionRow[]): SharedTracker => {
  const positions = rows.map(presentPosition)
  return {
    label: link.label,
    tracker: { name, kind, type, ...presentFace(face) },
    ...presentDates(link),
    last_point: link.showsLastPoint,
    last_position: positions.at(-1) ?? null,
    positions,
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

import { rights } from '#contracts/lib/rights.ts'
import { isLinkExpired, linkWindow, shareUrl } from '#contracts/rules/link.ts'
import type { DbReader } from '#db/db.ts'
import type { Viewer } from '#db/scope.ts'
import type { World } from '#server/ports/world.ts'
import { findSharedLink, type LinkRow, listLinksOfDeviceAlone } from './links.store.ts'

const SECOND = 1000

/** Whether the viewer sees the addresses of links, which need no session: users who may create some, not support. */
export const mayShare = ({ role }: Pick<Viewer, 'role'>) => rights.changeTrackers.some((may) => may === role)

/** A link that visitors may open now, with its trackers. */
export async function findValidLink(db: DbReader, uuid: string, now: Date) {
  const shared = await findSharedLink(db, uuid)
  if (!shared) return undefined
  const { isPermanent, endsAt } = shared.link
  return isLinkExpired(isPermanent ? null : endsAt, now) ? undefined : shared
}

/** The first and the last second of the positions that a link shows. */
export function computeWindow({ startsAt, endsAt }: LinkRow, now: Date) {
  const window = linkWindow({ start_date: startsAt, end_date: endsAt }, now)
  return { from: window.from ? Math.ceil(window.from.getTime() / SECOND) : 0, to: Math.floor(window.to.getTime() / SECOND) }
}

/** The URL of the public link of this tracker alone that is valid longest; undefined when none is valid now. */
export async function findLiveUrl({ db, clock, origin }: Pick<World, 'db' | 'clock' | 'origin'>, deviceId: number) {
  const now = clock.now()
  const valid = (await listLinksOfDeviceAlone(db.read, deviceId)).filter(({ isPermanent, endsAt }) => isPermanent || endsAt > now)
  const [longest] = valid.toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime())
  return longest && shareUrl(origin, longest)
}

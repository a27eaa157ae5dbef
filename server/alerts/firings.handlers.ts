import type { AlertFiring, firings as contract, alertInbox as inboxContract } from '#contracts/firings.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { Viewer } from '#db/scope.ts'
import { presentNotices } from '#server/alerts/notices/present-notices.ts'
import { type ResolvedLine, resolveNotices } from '#server/alerts/notices/resolve-notices.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { countUnreadFirings, type FiringCursor, listFirings, markFiring, markSeenUpTo, setFalseAlarm } from './firings.store.ts'

const PAGE_SIZE = 50

export const firings: Handlers<typeof contract> = {
  list: ({ query }, context) => readFirings(context, query),
}

export const alertInbox: Handlers<typeof inboxContract> = {
  read: ({ params }, context) => readFiring(context, params.id),
  async change({ params: { id }, body: { seen, false_alarm } }, context) {
    const { db, clock, viewer } = context
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      if ((await listFirings(tx, viewer, { id, limit: 1 })).length === 0) throw new Failure('not_found')
      if (seen !== undefined) await markFiring(tx, { firingId: id, userId: viewer.userId, isSeen: seen })
      if (false_alarm !== undefined) await setFalseAlarm(tx, id, false_alarm ? clock.now() : null)
    })
    return readFiring(context, id)
  },
  async see({ body: { up_to } }, context) {
    const { db, viewer } = context
    await db.write([`account:${viewer.accountId}`], (tx) => markSeenUpTo(tx, viewer.userId, up_to))
    return { unread: await countUnreadFirings(db.read, viewer) }
  },
}

type Query = Parameters<(typeof firings)['list']>[0]['query']

/** A page of fired alerts, newest first. */
export async function readFirings(context: ViewerContext, { before, from, to, unread, ...query }: Query) {
  const rows = await listFirings(context.db.read, context.viewer, {
    ...query,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    isUnread: unread === 'true',
    before: before ? parseCursor(before) : undefined,
    limit: PAGE_SIZE + 1,
  })
  const page = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE ? page.at(-1) : undefined
  return { firings: await presentFirings(context, page), next: last ? `${last.firing.at.getTime()}-${last.firing.id}` : null }
}

async function readFiring(context: ViewerContext, id: number) {
  const [firing] = await presentFirings(context, await listFirings(context.db.read, context.viewer, { id, limit: 1 }))
  if (!firing) throw new Failure('not_found')
  return firing
}

async function presentFirings({ db, viewer, keepsMails = false }: ViewerContext, rows: Row[]) {
  const notices = await resolveNotices(
    db.read,
    rows.map(({ firing }) => firing.notices ?? []),
    { isSettled: keepsMails },
  )
  return rows.map((row, index) => presentFiring(row, notices[index] ?? [], viewer))
}

function parseCursor(text: string): FiringCursor {
  const [at = 0, id = 0] = text.split('-').map(Number)
  return { at: new Date(at), id }
}

type Row = Awaited<ReturnType<typeof listFirings>>[number]

function presentFiring({ firing, deviceName, otherName, isUnread }: Row, lines: readonly ResolvedLine[], viewer: Viewer): AlertFiring {
  const { id, at, kind, deviceId, aboutId, about, rule, otherId, distance, mails, publishedAt, notices, falseAlarmAt } = firing
  const { lat, lng, precision, address } = firing
  return {
    id,
    at: formatInstant(at),
    kind,
    device: deviceId,
    device_name: deviceName,
    place: aboutId,
    place_name: about,
    ...(rule && { rule }),
    ...(otherId !== null && otherName !== null && { other: otherId, other_name: otherName }),
    ...(distance !== null && { distance }),
    mails,
    ...(publishedAt && { published_at: formatInstant(publishedAt) }),
    ...(lat !== null && lng !== null && { lat: fromFixed7(lat), lng: fromFixed7(lng) }),
    ...(precision !== null && { precision }),
    ...(address !== null && { address }),
    ...(notices && { notices: presentNotices(lines, viewer) }),
    ...(viewer.role !== 'deepsupport' && { seen: isUnread === 0 }),
    ...(falseAlarmAt && { false_alarm: true }),
  }
}

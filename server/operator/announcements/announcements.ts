import type * as z from 'zod/mini'
import type {
  AnnouncementState,
  operatorAnnouncements as contract,
  NewAnnouncement,
  OperatorAnnouncement,
} from '#contracts/operator/announcements.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { presentAnnouncement } from '#server/announcements/announcements.handlers.ts'
import {
  type AnnouncementRow,
  findAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from '#server/announcements/announcements.store.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'

const PAGE_SIZE = 50

const findState = ({ startsAt, endsAt }: AnnouncementRow, now: Date) => (endsAt <= now ? 'past' : startsAt > now ? 'coming' : 'shown')

const present = (row: AnnouncementRow, now: Date): OperatorAnnouncement => ({
  ...presentAnnouncement(row),
  state: findState(row, now),
  is_mailed: row.isMailed,
  mailed_at: row.mailedAt && formatInstant(row.mailedAt),
  created_at: formatInstant(row.createdAt),
})

/** A text of it, for the log. */
const nameOf = ({ id, texts }: AnnouncementRow) => `${id}: ${(texts.en ?? Object.values(texts)[0] ?? '').slice(0, 80)}`

export async function readAnnouncements(
  { db, clock }: Pick<DeedPorts, 'db' | 'clock'>,
  query: { before?: string; state?: AnnouncementState },
) {
  const now = clock.now()
  const before = query.before === undefined ? undefined : Number(query.before)
  const rows = await listAnnouncements(db.read, { before, state: query.state }, now, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  return { announcements: page.map((row) => present(row, now)), next: rows.length > PAGE_SIZE ? String(page.at(-1)!.id) : null }
}

/** Throws `validation_error` for an end that lies in the past or before the beginning. */
export async function makeAnnouncement(
  ports: DeedPorts,
  { level, texts, starts_at, ends_at, is_mailed }: z.output<typeof NewAnnouncement>,
) {
  const now = ports.clock.now()
  const startsAt = starts_at === undefined ? now : new Date(starts_at)
  const endsAt = new Date(ends_at)
  if (endsAt <= now) throw invalidField('ends_at', 'is in the past')
  if (endsAt <= startsAt) throw invalidField('ends_at', 'is not after the beginning')
  return doDeed(ports, [], async (tx) => {
    const row = await insertAnnouncement(tx, { level, texts, startsAt, endsAt, createdAt: now, isMailed: is_mailed })
    return { deed: { kind: 'announcement_made', subject: nameOf(row), detail: { level } }, response: present(row, now) }
  })
}

/** Throws `not_found`, or `expired` when it has ended already. Mails that are not queued yet are not sent. */
export const endAnnouncement = (ports: DeedPorts, id: number) =>
  doDeed(ports, [`announcement:${id}`], async (tx) => {
    const now = ports.clock.now()
    const found = await findAnnouncement(tx, id)
    if (!found) throw new Failure('not_found')
    if (found.endsAt <= now) throw new Failure('expired')
    const row = await updateAnnouncement(tx, id, { endsAt: now })
    return { deed: { kind: 'announcement_ended', subject: nameOf(row) }, response: present(row, now) }
  })

export const operatorAnnouncements: Handlers<typeof contract> = {
  list: ({ query }, context) => readAnnouncements(context, query),
  make: ({ body }, context) => makeAnnouncement(context, body),
  end: ({ params }, context) => endAnnouncement(context, params.id),
}

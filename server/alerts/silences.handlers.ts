import type * as z from 'zod/mini'
import { type AlertSilence, type silences as contract, type NewSilence, SILENCES } from '#contracts/accounts/silences.ts'
import { DAY_MS, formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import type { Viewer } from '#db/scope.ts'
import {
  countSilences,
  deleteEmptySilences,
  deleteSilence,
  deleteSilenceDevices,
  insertSilence,
  listSilences,
  type SilenceDetails,
} from '#server/alerts/silences/silences.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { hasPlace, listVisibleDevices } from './alerts.store.ts'

export const silences: Handlers<typeof contract> = {
  list: async (_, { db, clock, viewer }) => (await listSilences(db.read, viewer, clock.now())).map(presentSilence),

  async create({ body }, { db, clock, viewer }) {
    return db.write([`account:${viewer.accountId}`], async (tx) => {
      const now = clock.now()
      const { until, devices } = await readSilence(tx, viewer, body, now)
      await deleteEmptySilences(tx, viewer.accountId)
      const owner = { accountId: viewer.accountId, userId: body.everyone ? null : viewer.userId }
      const limit = SILENCES.running
      if ((await countSilences(tx, owner, now)) >= limit) throw new Failure('limit_reached', { of: 'silences', limit })
      const conditions = { isForAllDevices: devices.length === 0, placeId: body.place ?? null, kinds: kindsOf(body) }
      const silence = await insertSilence(tx, { ...owner, ...conditions, createdAt: now, until, note: body.note || null }, devices)
      return presentSilence({ silence, devices })
    })
  },

  /** If the silence also names trackers that a member may not see, only the member's trackers are removed from it. */
  async remove({ params: { id } }, { db, clock, viewer }) {
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const [found] = await listSilences(tx, viewer, clock.now(), id)
      if (!found) throw new Failure('not_found')
      const { silence, devices } = found
      const isOwn = silence.userId !== null
      if (isOwn || viewer.role !== 'pro') return deleteSilence(tx, id)
      if (silence.isForAllDevices) throw new Failure('permission_denied')
      await deleteSilenceDevices(tx, id, devices)
      await deleteEmptySilences(tx, viewer.accountId)
    })
    return { id }
  },
}

type Wanted = z.output<typeof NewSilence>

/** The end and the trackers of a new silence. Throws `validation_error` with every invalid field. */
async function readSilence(db: DbReader, viewer: Viewer, { devices: named, place, everyone, hours, until }: Wanted, now: Date) {
  const errors: Record<string, string[]> = {}
  const end = hours === undefined ? new Date(until ?? now) : new Date(now.getTime() + hours * HOUR_MS)
  if (end <= now) errors.until = ['Must be in the future']
  if (end.getTime() > now.getTime() + SILENCES.days * DAY_MS) errors.until = ['Must be within a year']
  const devices = [...new Set(named)].sort((a, b) => a - b)
  if ((await listVisibleDevices(db, viewer, devices)).length < devices.length) errors.devices = ['Names a tracker that is not yours']
  // A member sees only some trackers, so a silence of all would reach further.
  if (everyone && viewer.role === 'pro' && devices.length === 0) errors.devices = ['A team member names the trackers']
  if (typeof place === 'number' && !(await hasPlace(db, viewer.accountId, place))) errors.place = ['Not a place of yours']
  if (Object.keys(errors).length > 0) throw new Failure('validation_error', { errors })
  return { until: end, devices }
}

const kindsOf = ({ kinds }: Wanted) => (kinds.length > 0 ? [...new Set(kinds)] : null)

const presentSilence = ({ silence, devices }: SilenceDetails): AlertSilence => ({
  id: silence.id,
  devices,
  place: silence.placeId,
  kinds: silence.kinds ?? [],
  created_at: formatInstant(silence.createdAt),
  until: formatInstant(silence.until),
  note: silence.note,
  everyone: silence.userId === null,
})

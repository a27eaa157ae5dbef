import { type days as contract, DAYS } from '#contracts/days.ts'
import { countDays, type Day } from '#contracts/rules/local-day.ts'
import type { Db } from '#db/db.ts'
import type { Viewer } from '#db/scope.ts'
import { getOwnedDevice } from '#server/devices/device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { findTimeZone } from './day-summaries.store.ts'
import { readDays, readWays } from './read-days.ts'

export const days: Handlers<typeof contract> = {
  async list({ params, query }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return readDays(context, id, await findDays(query, context))
  },
  async ways({ params, query }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return readWays(context, context.geocode, id, await findDays(query, context))
  },
}

type Query = { from: Day; to: Day; tz?: string | undefined }

async function findDays({ from, to, tz }: Query, { db, viewer }: { db: Pick<Db, 'read'>; viewer: Viewer }) {
  const count = countDays(from, to)
  if (count < 1 || count > DAYS.perCall) throw new Failure('invalid_period')
  return { from, to, timeZone: tz ?? (await findTimeZone(db.read, viewer)) }
}

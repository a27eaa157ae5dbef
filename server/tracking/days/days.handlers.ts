import { type days as contract, DAYS } from '#contracts/days.ts'
import { countDays } from '#contracts/rules/local-day.ts'
import { getOwnedDevice } from '#server/devices/get-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { findTimeZone } from './day-summaries.store.ts'
import { readDays } from './read-days.ts'

export const days: Handlers<typeof contract> = {
  async list({ params, query: { from, to, tz } }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    const count = countDays(from, to)
    if (count < 1 || count > DAYS.perCall) throw new Failure('invalid_period')
    return readDays(context, id, { from, to, timeZone: tz ?? (await findTimeZone(context.db.read, context.viewer)) })
  },
}

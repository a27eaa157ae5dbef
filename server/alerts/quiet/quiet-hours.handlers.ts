import type { quietHours as contract, QuietHours } from '#contracts/accounts/quiet-hours.ts'
import { dailySpan, isDaily, type QuietSpan } from '#contracts/rules/tracking/rules/quiet-hours.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { listSpans, moveWaiting } from './hold-alerts.ts'
import { countHeldAlerts, findQuietUser, saveQuietHours } from './quiet-hours.store.ts'

export const quietHours: Handlers<typeof contract> = {
  read: (_, context) => readQuietHours(context),
  async change({ body: { quiet, spans } }, context) {
    const { db, clock, viewer, receivers } = context
    const wanted = spans?.map(sortDays) ?? (quiet ? [dailySpan(quiet)] : [])
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      await saveQuietHours(tx, viewer.userId, wanted)
      await moveWaiting(tx, viewer.userId, clock.now())
    })
    await receivers?.wake?.()
    return readQuietHours(context)
  },
}

const sortDays = ({ days, ...times }: QuietSpan): QuietSpan => ({ days: [...new Set(days)].sort(), ...times })

async function readQuietHours({ db, viewer }: ViewerContext): Promise<QuietHours> {
  const user = await findQuietUser(db.read, viewer.userId)
  if (!user) throw new Failure('not_authenticated')
  const spans = listSpans(user)
  const daily = spans.find(isDaily)
  const quiet = daily ? { from: daily.from, to: daily.to } : null
  return { quiet, spans, time_zone: user.timeZone, waiting: await countHeldAlerts(db.read, viewer.userId) }
}

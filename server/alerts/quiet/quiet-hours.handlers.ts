import type { quietHours as contract, QuietHours } from '#contracts/accounts/quiet-hours.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { endOfQuiet } from './hold-alerts.ts'
import { countHeldAlerts, findQuietUser, holdUntil, saveQuietHours } from './quiet-hours.store.ts'

export const quietHours: Handlers<typeof contract> = {
  read: (_, context) => readQuietHours(context),
  async change({ body: { quiet } }, context) {
    const { db, clock, viewer } = context
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      await saveQuietHours(tx, viewer.userId, quiet)
      const user = await findQuietUser(tx, viewer.userId)
      const now = clock.now()
      await holdUntil(tx, viewer.userId, (user && endOfQuiet(user, now)) ?? now)
    })
    return readQuietHours(context)
  },
}

async function readQuietHours({ db, viewer }: ViewerContext): Promise<QuietHours> {
  const user = await findQuietUser(db.read, viewer.userId)
  if (!user) throw new Failure('not_authenticated')
  const { from, to, timeZone } = user
  const quiet = from !== null && to !== null ? { from, to } : null
  return { quiet, time_zone: timeZone, waiting: await countHeldAlerts(db.read, viewer.userId) }
}

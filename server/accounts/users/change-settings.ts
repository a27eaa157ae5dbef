import type * as z from 'zod/mini'
import { isBirthDate } from '#contracts/rules/user.ts'
import type { SettingsChange } from '#contracts/users.ts'
import { invalid } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { updateAdminEmail, updateUser } from './users.store.ts'

export async function changeSettings({ db, clock, viewer }: ViewerContext, body: z.output<typeof SettingsChange>) {
  const { admin_email: adminEmail, birthday } = body
  if (adminEmail !== undefined && viewer.role !== 'admin') throw invalid('admin_email', 'is only for pro administrators')
  if (birthday && !isBirthDate(birthday, clock.now())) throw invalid('birthday', 'is not a day of the past')
  const change = {
    ...(body.firstname !== undefined && { firstName: body.firstname }),
    ...(body.lastname !== undefined && { lastName: body.lastname }),
    ...(birthday !== undefined && { birthDate: birthday }),
    ...(body.language !== undefined && { language: body.language }),
    ...(body.currency !== undefined && { currency: body.currency }),
    ...(body.time_zone !== undefined && { timeZone: body.time_zone }),
    ...(body.marketing_consent !== undefined && { marketingConsent: body.marketing_consent }),
  }
  await db.write(async (tx) => {
    if (Object.keys(change).length > 0) await updateUser(tx, viewer.userId, change)
    if (adminEmail !== undefined) await updateAdminEmail(tx, viewer.accountId, adminEmail)
  })
}

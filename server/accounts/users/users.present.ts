import type { Settings, User } from '#contracts/accounts/users.ts'
import type { users } from '#db/schema/accounts.ts'

export type UserRow = typeof users.$inferSelect

const visibleAdminEmail = ({ role }: UserRow, adminEmail: string | null) => (role === 'admin' ? adminEmail : null)

export const presentUser = (user: UserRow, adminEmail: string | null): User => ({
  id: user.id,
  username: user.username,
  email: user.email,
  email_confirmed: user.emailConfirmed,
  role: user.role,
  first_name: user.firstName,
  last_name: user.lastName,
  birth_date: user.birthDate,
  admin_email: visibleAdminEmail(user, adminEmail),
  marketing_consent: user.marketingConsent,
  language: user.language,
  currency: user.currency,
})

export const presentSettings = (user: UserRow, adminEmail: string | null): Settings => ({
  firstname: user.firstName,
  lastname: user.lastName,
  birthday: user.birthDate,
  language: user.language,
  currency: user.currency,
  marketing_consent: user.marketingConsent,
  admin_email: visibleAdminEmail(user, adminEmail),
  time_zone: user.timeZone,
})

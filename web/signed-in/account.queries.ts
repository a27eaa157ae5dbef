import { queryOptions } from '@tanstack/react-query'
import { confirmations } from '#contracts/accounts/confirmations.ts'
import { sessions } from '#contracts/accounts/sessions.ts'
import { type Settings, type User, users } from '#contracts/accounts/users.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { currentLanguage } from '#web/lib/i18n/i18n.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'
import { userKeys } from './user.queries.ts'

/** A separate client for the account, because the whole contract would double the size of the login page. */
export const accountApi = createClient({ ...users, ...confirmations, ...sessions }, clientPorts)

/** The signed-in user: e-mail address, whether it is confirmed, and role. */
export const meQuery = () =>
  queryOptions({
    queryKey: userKeys.me,
    queryFn: async ({ signal }) => (await orMissing<User | null>('me', () => accountApi.me({}, { signal }), null)) ?? readSession(signal),
  })

export const settingsQuery = () =>
  queryOptions({
    queryKey: userKeys.settings,
    queryFn: ({ signal }) => orMissing('settings', () => accountApi.settings({}, { signal }), getDefaultSettings()),
  })

/** The session's data about its user, for backends without the user endpoint. */
async function readSession(signal: AbortSignal): Promise<User> {
  const [{ username }, { role, email_confirmed }] = await Promise.all([accountApi.who({}, { signal }), accountApi.options({}, { signal })])
  const { language, currency, marketing_consent, admin_email } = getDefaultSettings()
  const email = username.includes('@') ? username : ''
  const name = { first_name: '', last_name: '', birth_date: null }
  return { id: 0, username, email, email_confirmed, role, ...name, language, currency, marketing_consent, admin_email }
}

const getDefaultSettings = (): Settings => ({
  firstname: '',
  lastname: '',
  birthday: null,
  language: currentLanguage(),
  currency: '',
  marketing_consent: false,
  admin_email: null,
})

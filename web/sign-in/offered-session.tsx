import { Button } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HAND_OFF_PREFIX, handOff } from '#contracts/accounts/hand-off.ts'
import { sessions } from '#contracts/accounts/sessions.ts'
import type { Route } from '#contracts/lib/route.ts'
import AuthLayout from '#web/layouts/auth-layout.tsx'
import { config } from '#web/lib/config.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { hasFeature } from '#web/lib/other-backends/features.ts'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'

type Fetch = typeof globalThis.fetch
type Open = () => ReactElement
type Sent = { token?: string | null; body?: object; credentials?: RequestCredentials | undefined }

/**
 * Decides between the open session and the one offered by the address, then opens the portal. A session of the same user continues with the
 * new token, a new one replaces an expired one, and an invalid token changes nothing. Between two users the user chooses.
 */
export async function settleSession(given: string, fetch: Fetch, open: Open): Promise<ReactElement> {
  const isCode = given.startsWith(HAND_OFF_PREFIX)
  const offered = isCode ? await redeemCode(given, fetch) : given
  if (offered === null) return open()
  const [current, other] = await Promise.all([session.isOpen() ? findUser(session.read(), fetch) : 401, findUser(offered, fetch)])
  if (typeof other === 'number') return open()
  if (current === other) {
    session.renew(offered)
    return open()
  }
  const take = () => {
    session.end()
    session.open(offered)
    return open()
  }
  if (current === 401 || config().demo?.mayReplace) return take()
  // Without a response nothing is known about the open session, which then stays.
  if (typeof current === 'number') return open()
  await loadWords(['account'])
  const stay = () => {
    // The session of a code was opened for this page alone; the cookies are those of the open session.
    if (isCode) void request(sessions.signOut, fetch, { token: offered, credentials: 'omit' })
    return open()
  }
  return <Choice current={current} other={other} stay={stay} take={take} />
}

/** Resolves to the token of a new session for the code; null if the code is invalid or the backend does not support codes. */
async function redeemCode(code: string, fetch: Fetch): Promise<string | null> {
  if (!hasFeature('handOff')) return null
  const answer = await request(handOff.redeem, fetch, { body: { hand_off: code } })
  return answer?.ok ? handOff.redeem.response[200].parse(await answer.json()).token : null
}

/** Resolves to the name of a token's user, or to the status of the rejection; 0 without a response. */
async function findUser(token: string | null, fetch: Fetch): Promise<string | number> {
  const answer = await request(sessions.who, fetch, { token })
  return answer?.ok ? sessions.who.response[200].parse(await answer.json()).username : (answer?.status ?? 0)
}

/** Sends a request before the client is set up; undefined without a response. */
async function request({ method, path }: Route, fetch: Fetch, { token, body, credentials = config().auth?.credentials }: Sent) {
  const { apiBaseUrl, auth } = config()
  const url = new URL(apiBaseUrl, location.origin).href.replace(/\/+$/, '') + path
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `${auth?.scheme ?? 'Bearer'} ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }), ...(credentials && { credentials }) }
  return fetch(url, init).catch(() => undefined)
}

function Choice({ current, other, stay, take }: { current: string; other: string; stay: Open; take: Open }) {
  const { t } = useTranslation()
  const [portal, setPortal] = useState<ReactElement | null>(null)
  if (portal) return portal
  return (
    <AuthLayout>
      <title>{t('account.switch.title')}</title>
      <div className={classes.form}>
        <h1>{t('account.switch.title')}</h1>
        <p className={classes.lead}>{t('account.switch.lead', { current, other })}</p>
        <Button size="md" mih={48} fullWidth onClick={() => setPortal(stay())}>
          {t('account.switch.stay', { name: current })}
        </Button>
        <Button variant="default" size="md" mih={48} fullWidth onClick={() => setPortal(take())}>
          {t('account.switch.go', { name: other })}
        </Button>
      </div>
    </AuthLayout>
  )
}

import { Button } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessions } from '#contracts/accounts/sessions.ts'
import AuthLayout from '#web/layouts/auth-layout.tsx'
import { config } from '#web/lib/config.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'

type Fetch = typeof globalThis.fetch
type Open = () => ReactElement

/**
 * Decides between the open session and the one that the address offers, then opens the portal. A session of the same user goes on with the
 * new token, a new one replaces one that has ended, and a token that is not valid changes nothing. Between two users the person chooses.
 */
export async function settleSession(offered: string, fetch: Fetch, open: Open): Promise<ReactElement> {
  const [current, other] = await Promise.all([findUser(session.read(), fetch), findUser(offered, fetch)])
  if (typeof other === 'number' || current === other) {
    if (current === other) session.renew(offered)
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
  return <Choice current={current} other={other} open={open} take={take} />
}

/** Resolves to the name of the user of a token, or to the status of the refusal; 0 without a response. */
async function findUser(token: string | null, fetch: Fetch): Promise<string | number> {
  const { apiBaseUrl, auth } = config()
  const url = new URL(apiBaseUrl, location.origin).href.replace(/\/+$/, '') + sessions.who.path
  const headers = { accept: 'application/json', authorization: `${auth?.scheme ?? 'Bearer'} ${token}` }
  try {
    const answer = await fetch(url, { headers, ...(auth?.credentials && { credentials: auth.credentials }) })
    return answer.ok ? sessions.who.response[200].parse(await answer.json()).username : answer.status
  } catch {
    return 0
  }
}

function Choice({ current, other, open, take }: { current: string; other: string; open: Open; take: Open }) {
  const { t } = useTranslation()
  const [portal, setPortal] = useState<ReactElement | null>(null)
  if (portal) return portal
  return (
    <AuthLayout>
      <title>{t('account.switch.title')}</title>
      <div className={classes.form}>
        <h1>{t('account.switch.title')}</h1>
        <p className={classes.lead}>{t('account.switch.lead', { current, other })}</p>
        <Button size="md" mih={48} fullWidth onClick={() => setPortal(open())}>
          {t('account.switch.stay', { name: current })}
        </Button>
        <Button variant="default" size="md" mih={48} fullWidth onClick={() => setPortal(take())}>
          {t('account.switch.go', { name: other })}
        </Button>
      </div>
    </AuthLayout>
  )
}

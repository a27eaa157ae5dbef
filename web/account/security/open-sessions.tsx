import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenSession } from '#contracts/accounts/security.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import classes from './security.module.css'
import { openSessionsQuery, securityApi } from './security.queries.ts'

/** Sessions shown at first; the newest come first. */
const SHOWN = 5

/** The open sessions of the user; all but the current one can be ended. */
export function OpenSessions() {
  const { t } = useTranslation()
  const { data: sessions } = useSuspenseQuery(openSessionsQuery())
  const [isWhole, setWhole] = useState(sessions.length <= SHOWN + 1)
  const [ending, setEnding] = useState<OpenSession | 'others' | null>(null)
  return (
    <>
      <p className={classes.lead}>{t('security.sessions.lead')}</p>
      <ul className={classes.rows}>
        {(isWhole ? sessions : sessions.slice(0, SHOWN)).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {!isWhole && (
        <Button variant="default" h={44} className={classes.all ?? ''} onClick={() => setWhole(true)}>
          {t('security.log.more')}
        </Button>
      )}
      {sessions.some(({ current }) => !current) && (
        <Button variant="default" h={44} className={classes.all ?? ''} onClick={() => setEnding('others')}>
          {t('security.sessions.endOthers')}
        </Button>
      )}
      {ending && <EndDialog ending={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function SessionRow({ session, onEnd }: { session: OpenSession; onEnd: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { agent, place, current } = session
  const name = agent ?? t('security.sessions.unknown')
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {current ? (
          <small data-state="ok">{t('security.sessions.current')}</small>
        ) : (
          <small>{t('security.sessions.lastSeen', { time: formats.dateTime(session.last_seen_at) })}</small>
        )}
        <small>
          {t('security.sessions.started', { time: formats.dateTime(session.created_at) })}
          {place && ` · ${place}`}
        </small>
      </div>
      {!current && (
        <Button variant="default" h={44} aria-label={t('security.sessions.endOf', { name })} onClick={onEnd}>
          {t('account.signOut')}
        </Button>
      )}
    </li>
  )
}

function EndDialog({ ending, onClose }: { ending: OpenSession | 'others'; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isAll = ending === 'others'
  const end = async () => {
    // Another tab may have ended the session already.
    await (isAll
      ? securityApi.endOtherSessions()
      : securityApi.endSession({ params: { session: ending.id } }).catch((error) => {
          if (error.status !== 404) throw error
        }))
    await queries.invalidateQueries(openSessionsQuery())
    showToast(t('security.sessions.ended'))
  }
  return (
    <ConfirmDialog
      title={
        isAll ? t('security.sessions.endOthers') : t('security.sessions.endOf', { name: ending.agent ?? t('security.sessions.unknown') })
      }
      action={t('account.signOut')}
      onConfirm={end}
      onClose={onClose}
    >
      {t(isAll ? 'security.sessions.endOthersLead' : 'security.sessions.endLead')}
    </ConfirmDialog>
  )
}

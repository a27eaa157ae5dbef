import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiToken } from '#contracts/accounts/api-tokens.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { NewApiTokenDialog, SUBJECTS } from './new-api-token-dialog.tsx'
import secretClasses from './recovery-codes.module.css'
import classes from './security.module.css'
import { apiTokensApi, apiTokensQuery } from './security.queries.ts'

/** The tokens with which the user's programs call the API. */
export function ApiTokens() {
  const { t } = useTranslation()
  const { data: tokens } = useSuspenseQuery(apiTokensQuery())
  const [isCreating, setCreating] = useState(false)
  const [fresh, setFresh] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  return (
    <>
      <p className={classes.lead}>{t('security.tokens.lead')}</p>
      {fresh !== null && <FreshToken token={fresh} onDone={() => setFresh(null)} />}
      <ul className={classes.rows}>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      <Button variant="default" h={44} className={classes.all ?? ''} onClick={() => setCreating(true)}>
        {t('security.tokens.create')}
      </Button>
      {isCreating && <NewApiTokenDialog onCreated={setFresh} onClose={() => setCreating(false)} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { label, devices, until, last_used_at } = token
  const details = [
    devices === null ? t('team.allTrackers') : t('team.trackers', { count: devices.length }),
    until === null ? t('security.retention.always') : t('security.tokens.ends', { time: formats.date(until) }),
    last_used_at === null ? t('security.tokens.unused') : t('security.sessions.lastSeen', { time: formats.dateTime(last_used_at) }),
  ]
  return (
    <li>
      <div>
        <strong>{label}</strong>
        <Rights scopes={token.scopes} />
        <small>{details.join(' · ')}</small>
      </div>
      <Button variant="default" h={44} aria-label={t('security.tokens.revokeOf', { name: label })} onClick={onRevoke}>
        {t('security.tokens.revoke')}
      </Button>
    </li>
  )
}

/** The data that a token may read, and what it may change as well. */
function Rights({ scopes }: Pick<ApiToken, 'scopes'>) {
  const { t } = useTranslation()
  const has = (scope: string) => scopes.includes(scope)
  const changes = SUBJECTS.filter((subject) => has(`${subject}:write`))
  const sees = SUBJECTS.filter((subject) => has(`${subject}:read`) && !changes.includes(subject))
  const list = (subjects: typeof sees) => subjects.map((subject) => t(`security.tokens.${subject}`)).join(', ')
  return (
    <>
      {sees.length > 0 && <small>{t('security.tokens.sees', { list: list(sees) })}</small>}
      {changes.length > 0 && <small>{t('security.tokens.changes', { list: list(changes) })}</small>}
    </>
  )
}

/** A new token, which is shown only once. */
function FreshToken({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const title = useId()
  const region = useRef<HTMLElement>(null)
  useEffect(() => region.current?.focus(), [])
  return (
    <section ref={region} tabIndex={-1} className={secretClasses.codes} aria-labelledby={title}>
      <h3 id={title}>{t('security.tokens.freshTitle')}</h3>
      <p className={classes.lead}>{t('security.tokens.freshLead')}</p>
      <code className={secretClasses.secret}>{token}</code>
      <div className={secretClasses.actions}>
        <Button h={44} variant="default" onClick={() => void copyText(token).then(setCopied)}>
          {t('security.tokens.copy')}
        </Button>
        <Button h={44} onClick={onDone}>
          {t('security.tokens.saved')}
        </Button>
        <span role="status">{isCopied && t('links.copied')}</span>
      </div>
    </section>
  )
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const revoke = async () => {
    // Another tab may have revoked the token already.
    await apiTokensApi.remove({ params: { id: token.id } }).catch((error) => {
      if (error.status !== 404) throw error
    })
    await queries.invalidateQueries(apiTokensQuery())
    showToast(t('security.tokens.revoked'))
  }
  return (
    <ConfirmDialog
      title={t('security.tokens.revokeOf', { name: token.label })}
      action={t('security.tokens.revoke')}
      isDanger
      onConfirm={revoke}
      onClose={onClose}
    >
      {t('security.tokens.revokeLead')}
    </ConfirmDialog>
  )
}

import { Button } from '@mantine/core'
import { IconCircleCheck, IconMailExclamation } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Settings, User } from '#contracts/accounts/users.ts'
import { personName } from '#contracts/rules/user.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import classes from './account.module.css'

export function ProfileCard({ settings: { firstname, lastname, birthday } }: { settings: Settings }) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  return (
    <Card title={t('title.accountProfilUpdate')}>
      <div className={classes.row}>
        <p>
          <strong>{personName(firstname, lastname, i18n.language)}</strong>
          {birthday && <small>{t('account.page.birthDate', { date: formats.date(`${birthday}T12:00:00`) })}</small>}
        </p>
        <Button component={Link} to="/account_profil_update" variant="default" h={44}>
          {t('action.edit')}
        </Button>
      </div>
    </Card>
  )
}

export function EmailCard({ user: { email, email_confirmed } }: { user: User }) {
  const { t } = useTranslation()
  const canChange = useFeature('confirmations')
  const Icon = email_confirmed ? IconCircleCheck : IconMailExclamation
  return (
    <Card title={t('account.field.email')}>
      <div className={classes.row}>
        <p>
          <strong>{email}</strong>
          <small data-state={email_confirmed ? 'ok' : 'warn'}>
            <Icon size={16} aria-hidden="true" />
            {t(email_confirmed ? 'account.page.confirmed' : 'account.page.unconfirmed')}
          </small>
        </p>
        <div className={classes.links}>
          {!email_confirmed && (
            <Button component={Link} to="/account_email" h={44}>
              {t('account.page.confirm')}
            </Button>
          )}
          {canChange && (
            <Button component={Link} to="/account_email_update" variant="default" h={44}>
              {t('account.page.change')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

export function SecurityCard() {
  const { t } = useTranslation()
  return (
    <Card title={t('title.accountSecurity')}>
      <div className={classes.row}>
        <p className={classes.text}>{t('security.card')}</p>
        <Button component={Link} to="/account/security" variant="default" h={44}>
          {t('security.open')}
        </Button>
      </div>
    </Card>
  )
}

export function DeleteCard() {
  const { t } = useTranslation()
  return (
    <Card title={t('title.accountDelete')}>
      <div className={classes.row}>
        <p className={classes.text}>{t('account.page.deleteLead')}</p>
        <Button component={Link} to="/account_delete" variant="default" c="var(--bad)" h={44}>
          {t('action.delete')}
        </Button>
      </div>
    </Card>
  )
}

export function Card({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  )
}

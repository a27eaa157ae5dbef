import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconChevronRight,
  IconKey,
  IconLogout,
  IconMail,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { Settings, User } from '#contracts/accounts/users.ts'
import { personName } from '#contracts/rules/user.ts'
import { ACCOUNT_GROUPS, type Section, useSectionFilter } from '#web/layouts/navigation/sections.tsx'
import { LegalFooter } from '#web/legal/legal-footer.tsx'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { useIsPhone } from '#web/lib/use-media.ts'
import { meQuery, settingsQuery } from '#web/signed-in/account.queries.ts'
import { Page } from '#web/ui/page.tsx'
import { Card, DeleteCard, EmailCard, ProfileCard, SecurityCard } from './about-cards.tsx'
import classes from './account-screen.module.css'
import { PasswordForm } from './password-form.tsx'
import { Preferences } from './preferences.tsx'

export default function AccountScreen() {
  const { t } = useTranslation()
  const has = useFeatures()
  const [passwords, setPasswords] = useState(0)
  const [{ data: user }, { data: settings }] = useSuspenseQueries({ queries: [meQuery(), settingsQuery()] })
  const isEmbedded = useLocation().pathname.startsWith('/account/app')
  if (useIsPhone() && !isEmbedded) return <AccountHub user={user} settings={settings} />
  return (
    <Page title={t('title.account')} isNarrow>
      {has('settings') && <ProfileCard settings={settings} />}
      {has('me') && <EmailCard user={user} />}
      {has('settings') && (
        <Card title={t('account.page.preferences')}>
          <Preferences settings={settings} />
        </Card>
      )}
      {has('passwordChange') && (
        <Card title={t('login.password')}>
          <PasswordForm key={passwords} onDone={() => setPasswords(passwords + 1)} />
        </Card>
      )}
      {(has('secondFactor') || has('sessionList') || has('securityLog')) && <SecurityCard />}
      <DeleteCard />
      <LegalFooter />
    </Page>
  )
}

type Row = { to: string; label: string; Icon: Icon; value?: string | undefined; isWarning?: boolean }

/** The account page of a phone, with links to all pages that have no tab. */
function AccountHub({ user, settings }: { user: User; settings: Settings }) {
  const { t, i18n } = useTranslation()
  const allowed = useSectionFilter(true)
  const name = personName(settings.firstname, settings.lastname, i18n.language)
  const listRows = (sections: readonly Section[]): Row[] => allowed(sections).map(({ to, word, Icon }) => ({ to, label: t(word), Icon }))
  const [sharing, purchases, others] = ACCOUNT_GROUPS
  const rest = listRows(others.sections.filter(({ to }) => to !== '/account'))
  const help = rest.filter(({ to }) => to === '/contact_us')
  return (
    <Page title={t('title.account')} isNarrow>
      <header className={classes.who}>
        <span className={classes.avatar} aria-hidden="true">
          {getInitials(name || user.username)}
        </span>
        <p>
          <b>{name || user.username}</b>
          {name && <small>{user.email}</small>}
        </p>
      </header>
      <Group label={t(sharing.word)} rows={listRows(sharing.sections)} />
      <Group label={t(purchases.word)} rows={listRows(purchases.sections)} />
      <Group label={t('account.hub.settings')} rows={[...useSettingRows(user, name), ...rest.filter((row) => !help.includes(row))]} />
      <Group label={t('account.hub.help')} rows={help} />
      <Group label={t('account.signOut')} rows={[{ to: '/logout', label: t('account.signOut'), Icon: IconLogout }]} />
      <Link to="/account_delete" className={classes.erase}>
        {t('title.accountDelete')}
      </Link>
      <LegalFooter />
    </Page>
  )
}

function useSettingRows({ email, email_confirmed }: User, name: string): Row[] {
  const { t } = useTranslation()
  const has = useFeatures()
  const mail = { label: t('account.field.email'), Icon: IconMail }
  const preferences = has('push') || has('quietHours') ? 'account.hub.notices' : 'account.hub.preferences'
  const security = has('secondFactor') || has('sessionList') || has('securityLog')
  return [
    ...(has('settings') ? [{ to: '/account_profil_update', label: t('title.accountProfilUpdate'), Icon: IconUser, value: name }] : []),
    ...(email_confirmed ? [] : [{ ...mail, to: '/account_email', value: t('account.page.unconfirmed'), isWarning: true }]),
    ...(email_confirmed && has('confirmations') ? [{ ...mail, to: '/account_email_update', value: email }] : []),
    ...(has('passwordChange') ? [{ to: '/account/password', label: t('login.password'), Icon: IconKey }] : []),
    ...(security ? [{ to: '/account/security', label: t('title.accountSecurity'), Icon: IconShieldLock }] : []),
    { to: '/account/preferences', label: t(preferences), Icon: IconAdjustmentsHorizontal },
  ]
}

const getInitials = (name: string) =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => [...part][0]?.toUpperCase())
    .join('')

function Group({ label, rows }: { label: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null
  return (
    <section className={classes.group} aria-label={label}>
      {rows.length > 1 && <h2>{label}</h2>}
      <ul>
        {rows.map(({ to, label: text, Icon, value, isWarning }) => (
          <li key={to}>
            <Link to={to} className={classes.row}>
              <Icon size={20} aria-hidden="true" />
              <span>{text}</span>
              {value && <small data-warning={isWarning}>{value}</small>}
              <IconChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { useFeatures } from '#web/lib/api/features.ts'
import { useIsPhone } from '#web/lib/use-is-phone.ts'
import { meQuery, settingsQuery } from '#web/signed-in/account.queries.ts'
import { Page } from '#web/ui/page.tsx'
import { Card, DeleteCard, EmailCard, ProfileCard, SecurityCard } from './about-cards.tsx'
import { AccountHub } from './hub.tsx'
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
    </Page>
  )
}

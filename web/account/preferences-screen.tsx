import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Channels } from '#web/account/channels/channels.tsx'
import { LanguagePicker } from '#web/layouts/language-picker.tsx'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'
import { Appearance, Preferences } from './preferences.tsx'

export default function PreferencesScreen() {
  const { t } = useTranslation()
  return (
    <Page title={t('title.accountPreferences')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        <Part skeleton={<SkeletonRows count={3} />}>
          <Choices />
        </Part>
      </div>
      {useFeature('channels') && (
        <section className={classes.card} aria-labelledby="channels">
          <h2 id="channels">{t('account.channels.title')}</h2>
          <Part skeleton={<SkeletonRows count={1} />}>
            <Channels />
          </Part>
        </section>
      )}
    </Page>
  )
}

function Choices() {
  const hasSettings = useFeature('settings')
  const settings = useSuspenseQuery(settingsQuery()).data
  if (hasSettings) return <Preferences settings={settings} />
  return (
    <div className={classes.form}>
      <LanguagePicker />
      <Appearance />
    </div>
  )
}

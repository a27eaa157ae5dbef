import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { settingsQuery } from '#web/signed-in/account.queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'
import { ProfileForm } from './profile-form.tsx'

/** Shows the form disabled until the settings are loaded. */
export default function ProfileScreen() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(settingsQuery())
  return (
    <Page title={t('title.accountProfilUpdate')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        {isError && !data ? <Failure retry={() => void refetch()} /> : <ProfileForm key={data ? 'known' : 'waiting'} settings={data} />}
      </div>
    </Page>
  )
}

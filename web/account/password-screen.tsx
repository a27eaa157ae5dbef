import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'
import { PasswordForm } from './password-form.tsx'

export default function PasswordScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t('title.accountPassword')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        <PasswordForm onDone={() => void navigate('/account')} />
      </div>
    </Page>
  )
}

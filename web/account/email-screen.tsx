import { Button } from '@mantine/core'
import { IconMailFast } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { confirmations } from '#contracts/accounts/confirmations.ts'
import { accountApi, meQuery } from '#web/signed-in/account.queries.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { AddressField, PasswordField, RequiredLegend } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'
import { isWrongPassword } from './password-form.tsx'

/** Changes the e-mail address; it takes effect when the mailed link is opened. */
export default function EmailScreen() {
  const { t } = useTranslation()
  const { email } = useSuspenseQuery(meQuery()).data
  const [sentTo, setSentTo] = useState<string | null>(null)
  const back = (
    <Button component={Link} to="/account" variant="default" h={44}>
      {t('title.account')}
    </Button>
  )
  return (
    <Page title={t('title.accountEmailUpdate')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        {sentTo === null ? (
          <EmailForm email={email} onSent={setSentTo} />
        ) : (
          <Notice role="status" icon={<IconMailFast size={30} />} title={t('reset.sentHeading')} action={back}>
            {t('account.changeEmail.sent', { email: sentTo })}
          </Notice>
        )}
      </div>
    </Page>
  )
}

function EmailForm({ email, onSent }: { email: string; onSent: (to: string) => void }) {
  const { t } = useTranslation()
  const { confirmed, dialog } = useRecentSignIn()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: confirmations.change.body,
    submit: async (body) => {
      await confirmed((options) => accountApi.change({ body }, options), { staysOn401: true })
      onSent(body.email)
    },
    words: { email: t('error.email') },
    failure: (error, values) => {
      if (error.fields.email && isSame(values.email, email)) return { email: t('account.changeEmail.own') }
      if (error.status === 409) return t('account.changeEmail.exists')
      if (error.status === 429) return t('account.mail.tooMany')
      return isWrongPassword(error) ? t('account.password.wrong') : undefined
    },
  })
  return (
    <>
      <form {...form} className={classes.form}>
        <UnsavedGuard isDirty={isDirty} />
        <p className={classes.text}>{t('account.changeEmail.lead', { email })}</p>
        <FormAlert>{failure}</FormAlert>
        <AddressField {...field('email')} label={t('account.changeEmail.email')} required autoComplete="email" />
        <PasswordField {...field('password')} label={t('login.password')} required autoComplete="current-password" />
        <RequiredLegend />
        <Button type="submit" h={44} loading={isBusy} className={classes.submit ?? ''}>
          {t('reset.send')}
        </Button>
      </form>
      {dialog}
    </>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

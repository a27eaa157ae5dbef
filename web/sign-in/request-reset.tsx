import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { sessions } from '#contracts/sessions.ts'
import classes from '#web/ui/auth-form.module.css'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ResetOutcome } from './outcome.tsx'
import { sessionsApi } from './sign-in.api.ts'

/** Requests a reset link. The response does not reveal whether the address has an account. */
export function RequestReset() {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, field, isBusy, failure } = useForm({
    schema: sessions.requestReset.body,
    submit: async (body) => {
      await sessionsApi.requestReset({ body })
      setSentTo(body.email)
    },
    words: { email: t('error.email') },
    failure: ({ status }) => (status === 429 ? t('error.throttled') : undefined),
  })
  if (sentTo) return <ResetOutcome title={t('reset.sentHeading')}>{t('reset.sent', { email: sentTo })}</ResetOutcome>
  return (
    <form {...form} className={classes.form}>
      <h1>{t('reset.heading')}</h1>
      <p className={classes.lead}>{t('reset.lead')}</p>
      <FormAlert>{failure}</FormAlert>
      <TextField {...field('email')} type="email" label={t('reset.email')} required autoComplete="email" />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
        {t('reset.send')}
      </Button>
      <nav className={classes.links}>
        <Link to="/login">{t('reset.signIn')}</Link>
      </nav>
    </form>
  )
}

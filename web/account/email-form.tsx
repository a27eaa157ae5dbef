import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { confirmations } from '#contracts/confirmations.ts'
import { calls } from '#web/signed-in/account.calls.ts'
import { PasswordField, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './account.module.css'
import { isWrongPassword } from './wrong-password.ts'

/** Requests a confirmation link for the new address; the password is required. */
export function EmailForm({ email, onSent }: { email: string; onSent: (to: string) => void }) {
  const { t } = useTranslation()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: confirmations.change.body,
    submit: async (body) => {
      await calls.change({ body }, { staysOn401: true })
      onSent(body.email)
    },
    words: { email: t('error.email') },
    failure: (error, asked) => {
      if (error.fields.email && isSame(asked.email, email)) return { email: t('account.changeEmail.own') }
      if (error.status === 409) return t('account.changeEmail.exists')
      if (error.status === 429) return t('account.mail.tooMany')
      return isWrongPassword(error) ? t('account.password.wrong') : undefined
    },
  })
  return (
    <form {...form} className={classes.form}>
      <UnsavedGuard isDirty={isDirty} />
      <p className={classes.text}>{t('account.changeEmail.lead', { email })}</p>
      <FormAlert>{failure}</FormAlert>
      <TextField {...field('email')} type="email" label={t('account.changeEmail.email')} required autoComplete="email" />
      <PasswordField {...field('password')} label={t('login.password')} required autoComplete="current-password" />
      <RequiredLegend />
      <Button type="submit" h={44} loading={isBusy} className={classes.submit ?? ''}>
        {t('reset.send')}
      </Button>
    </form>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

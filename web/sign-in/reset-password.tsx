import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import * as z from 'zod/mini'
import { sessions } from '#contracts/accounts/sessions.ts'
import { PASSWORD_MIN_LENGTH } from '#contracts/accounts/users.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { NewPasswordField } from '#web/sign-in/new-password/new-password-field.tsx'
import classes from '#web/ui/auth-form.module.css'
import { AddressField, RequiredLegend } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { sessionsApi } from './sign-in.api.ts'

/** Two screens: one requests a reset link, the other sets a new password with its key. */
export default function ResetPassword({ resetKey }: { resetKey: string | null }) {
  return resetKey ? <NewPassword key={resetKey} resetKey={resetKey} /> : <RequestReset />
}

/** Requests a reset link. The response does not reveal whether the address has an account. */
function RequestReset() {
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
      <AddressField {...field('email')} label={t('reset.email')} required autoComplete="email" />
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

const Form = z.pick(sessions.reset.body, { new_password: true })

type State = 'asking' | 'changed' | 'expired' | 'invalid'

/** Sets a new password with the key from the e-mail; an expired or unknown key offers a new link. */
function NewPassword({ resetKey }: { resetKey: string }) {
  const { t } = useTranslation()
  const [state, setState] = useState<State>('asking')
  const { form, field, isBusy, failure } = useForm({
    schema: Form,
    submit: async ({ new_password }) => {
      await sessionsApi.reset({ body: { key: resetKey, new_password } }).then(() => setState('changed'), handleDeadKey)
    },
    words: { new_password: t('error.badPassword', { min: PASSWORD_MIN_LENGTH }) },
    failure: ({ status, fields }) => {
      if (fields.new_password) return { new_password: t('error.easyPassword') }
      return status === 429 ? t('error.throttled') : undefined
    },
  })
  const handleDeadKey = (error: unknown) => {
    const isDead = error instanceof ApiError && (error.status === 410 || error.status === 404)
    if (!isDead) throw error
    setState(error.status === 410 ? 'expired' : 'invalid')
  }
  const more = <Link to="/login?view=reset_password">{t('reset.sendAgain')}</Link>
  if (state === 'changed') return <ResetOutcome title={t('reset.changedHeading')}>{t('reset.changed')}</ResetOutcome>
  if (state !== 'asking') {
    return (
      <ResetOutcome isFailure title={t(`reset.${state}`)} more={more}>
        {t('reset.expiredLead')}
      </ResetOutcome>
    )
  }
  return (
    <form {...form} className={classes.form}>
      <h1>{t('reset.newHeading')}</h1>
      <p className={classes.lead}>{t('reset.newLead', { min: PASSWORD_MIN_LENGTH })}</p>
      <FormAlert>{failure}</FormAlert>
      <NewPasswordField {...field('new_password')} label={t('reset.newPassword')} required />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
        {t('reset.save')}
      </Button>
      <nav className={classes.links}>
        <Link to="/login">{t('reset.signIn')}</Link>
      </nav>
    </form>
  )
}

function ResetOutcome({
  title,
  children,
  more,
  isFailure = false,
}: {
  title: string
  children: ReactNode
  more?: ReactNode
  isFailure?: boolean
}) {
  const { t } = useTranslation()
  return (
    <div className={classes.form} role={isFailure ? 'alert' : 'status'}>
      <h1>{title}</h1>
      <p className={classes.lead}>{children}</p>
      <nav className={classes.links}>
        {more}
        <Link to="/login">{t('reset.signIn')}</Link>
      </nav>
    </div>
  )
}

import { Button } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { GivenPassword } from '#contracts/users.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { session } from '#web/lib/session.ts'
import { calls } from '#web/signed-in/account.calls.ts'
import { PasswordField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { Tick } from '#web/ui/form/tick.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import classes from './account.module.css'

const Form = z.object({ password: GivenPassword, consent: z.boolean() })

/** Deletes the account after signing in again with the password. Any response but 200 to that sign-in deletes nothing. */
export function EraseForm({ username, onRefused }: { username: string; onRefused: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isReady, setReady] = useState(false)
  const isProven = useRef(false)
  const { form, field, isBusy, failure } = useForm({
    schema: Form,
    submit: async ({ password }) => {
      isProven.current = false
      const { token } = await calls.signIn({ body: { username, password } }, { staysOn401: true })
      isProven.current = true
      session.renew(token)
      await calls.erase({ query: { profile: 'all' } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'pro_account') onRefused()
        throw error
      })
      await navigate('/login', { replace: true, state: { isErased: true } })
      session.end()
    },
    failure: ({ status }) => {
      if (isProven.current) return undefined
      return status === 429 ? t('error.throttled') : t('account.password.wrong')
    },
  })
  const look = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const data = new FormData(currentTarget)
    setReady(data.get('password') !== '' && data.has('consent'))
  }
  return (
    <form
      {...form}
      onChange={(event) => {
        form.onChange(event)
        look(event)
      }}
      className={classes.form}
    >
      <FormAlert>{failure}</FormAlert>
      <PasswordField {...field('password')} label={t('login.password')} required autoComplete="current-password" />
      <Tick name="consent" required>
        {t('account.erase.consent')}
      </Tick>
      <RequiredLegend />
      <Button
        type="submit"
        h={44}
        color="var(--bad)"
        className={`${classes.submit} ${classes.danger}`}
        disabled={!isReady}
        loading={isBusy}
      >
        {t('account.erase.submit')}
      </Button>
    </form>
  )
}

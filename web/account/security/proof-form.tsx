import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { type Proven, TypedCode } from '#contracts/accounts/second-factor.ts'
import { GivenPassword } from '#contracts/accounts/users.ts'
import classes from '#web/account/account.module.css'
import { readProof } from '#web/signed-in/second-factor.api.ts'
import { PasswordField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'

const Form = z.object({ password: GivenPassword, code: TypedCode })

type Props = { submit: string; onProof: (proven: Proven) => Promise<unknown>; onCancel: () => void }

/** Asks for the password and a code before a change that weakens the account. */
export function ProofForm({ submit, onProof, onCancel }: Props) {
  const { t } = useTranslation()
  const { form, field, isBusy, failure } = useForm({
    schema: Form,
    submit: ({ password, code }) => onProof({ password, ...readProof(code) }),
    failure: ({ status, code }) => {
      if (status === 429) return t('error.throttled')
      if (code === 'invalid_password') return t('account.password.wrong')
      return code === 'invalid_code' ? t('account.factor.wrong') : undefined
    },
  })
  return (
    <form {...form} className={classes.form}>
      <FormAlert>{failure}</FormAlert>
      <PasswordField {...field('password')} label={t('login.password')} required autoComplete="current-password" />
      <TextField {...field('code')} label={t('account.factor.code')} required autoComplete="one-time-code" spellCheck={false} />
      <RequiredLegend />
      <div className={classes.links}>
        <Button type="submit" h={44} loading={isBusy}>
          {submit}
        </Button>
        <Button variant="default" h={44} onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  )
}

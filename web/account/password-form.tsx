import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { sessions } from '#contracts/accounts/sessions.ts'
import { PASSWORD_MIN_LENGTH } from '#contracts/accounts/users.ts'
import { normalizePassword } from '#contracts/rules/reading/text.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { session } from '#web/lib/session.ts'
import { showToast } from '#web/lib/toasts.ts'
import { NewPasswordField } from '#web/sign-in/new-password/new-password-field.tsx'
import { accountApi } from '#web/signed-in/account.queries.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { PasswordField, RequiredLegend } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './account.module.css'

const Form = z
  .extend(sessions.changePassword.body, { repeat: z.string().check(z.overwrite(normalizePassword)) })
  .check(z.refine(({ new_password, repeat }) => new_password === repeat, { path: ['repeat'] }))

/** Sets a new password. The server ends all other sessions and issues a new token for this one. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const { confirmed, dialog } = useRecentSignIn()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: Form,
    submit: async ({ old_password, new_password }) => {
      const { token } = await confirmed((options) => accountApi.changePassword({ body: { old_password, new_password } }, options), {
        staysOn401: true,
      })
      session.renew(token)
      showToast(t('reset.changedHeading'))
      onDone()
    },
    words: { new_password: t('error.badPassword', { min: PASSWORD_MIN_LENGTH }), repeat: t('account.field.differ') },
    failure: (error) => {
      if (error.status === 429) return t('error.throttled')
      if (error.fields.new_password) return { new_password: t('error.easyPassword') }
      return isWrongPassword(error) ? t('account.password.wrong') : undefined
    },
  })
  return (
    <>
      <form {...form} className={classes.form}>
        <UnsavedGuard isDirty={isDirty} />
        <FormAlert>{failure}</FormAlert>
        <PasswordField {...field('old_password')} label={t('account.password.current')} required autoComplete="current-password" />
        <NewPasswordField
          {...field('new_password')}
          label={t('reset.newPassword')}
          description={t('reset.newLead', { min: PASSWORD_MIN_LENGTH })}
          required
        />
        <PasswordField {...field('repeat')} label={t('account.password.repeat')} required autoComplete="new-password" />
        <RequiredLegend />
        <Button type="submit" h={44} loading={isBusy} className={classes.submit ?? ''}>
          {t('account.password.submit')}
        </Button>
      </form>
      {dialog}
    </>
  )
}

/** A rejection without field errors means a wrong password, because a backend may send 400, 401 or 403 with any body. */
export const isWrongPassword = ({ status, fields }: ApiError) =>
  (status === 400 || status === 401 || status === 403) && Object.keys(fields).length === 0

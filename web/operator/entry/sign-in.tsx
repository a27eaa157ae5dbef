import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { operatorApi } from '#contracts/operator/index.ts'
import { sessionApi } from '#web/operator/session/operator.api.ts'
import { setSession } from '#web/operator/session/session-state.ts'
import formClasses from '#web/ui/auth-form.module.css'
import { AddressField, PasswordField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { EntryFrame } from './entry-frame.tsx'

/** E-mail, password and code in one form: the response never tells which of them is wrong. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const { t } = useTranslation()
  const { form, field, isBusy, failure } = useForm({
    schema: operatorApi.staffSession.signIn.body,
    submit: async (body) => setSession(await sessionApi.signIn({ body })),
    failure: ({ status }) => {
      if (status === 429) return t('error.throttled')
      return status === 400 || status === 401 ? t('operator.signIn.incorrect') : undefined
    },
  })
  return (
    <EntryFrame>
      <form {...form} className={formClasses.form}>
        <h1>{t('login.heading')}</h1>
        <p className={formClasses.lead}>{t('operator.signIn.lead')}</p>
        {hasEnded && (
          <p role="status" className={formClasses.note}>
            {t('login.ended')}
          </p>
        )}
        <FormAlert>{failure}</FormAlert>
        <AddressField {...field('email')} label={t('operator.email')} required autoComplete="username" />
        <PasswordField {...field('password')} label={t('login.password')} required autoComplete="current-password" />
        <TextField
          {...field('code')}
          label={t('operator.signIn.code')}
          description={t('operator.signIn.codeHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="one-time-code"
        />
        <RequiredLegend />
        <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
          {t('login.submit')}
        </Button>
      </form>
    </EntryFrame>
  )
}

import { Button } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { PASSWORD_MIN_LENGTH, Registration } from '#contracts/accounts/users.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { isTimeZone } from '#contracts/rules/time.ts'
import { orderNames } from '#contracts/rules/user.ts'
import { readLegal } from '#web/legal/legal-places.ts'
import { currentLanguage } from '#web/lib/i18n/i18n.ts'
import { pickNewCurrency } from '#web/lib/other-backends/account-currencies.ts'
import { hasFeature } from '#web/lib/other-backends/features.ts'
import { session } from '#web/lib/session.ts'
import { NewPasswordField } from '#web/sign-in/new-password/new-password-field.tsx'
import { accountApi } from '#web/signed-in/account.queries.ts'
import classes from '#web/ui/auth-form.module.css'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { AddressField, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { SignedInNote } from '#web/ui/signed-in-note.tsx'

const AccountFields = z.pick(Registration, { email: true, password: true, first_name: true, last_name: true, marketing_consent: true })

/** The terms are only shown where the operator has some. */
const SignUpForm = z.extend(AccountFields, { terms: z.optional(z.boolean()) })

/** Adds language, currency and time zone from the browser. */
function buildRegistration({ terms: _terms, ...fields }: z.output<typeof SignUpForm>, acceptedTerms: string | undefined) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    ...fields,
    ...(acceptedTerms !== undefined && { accepted_terms: acceptedTerms }),
    language: currentLanguage(),
    currency: pickNewCurrency(),
    time_zone: isTimeZone(timeZone) ? timeZone : null,
  }
}

/** All fields of the form are mandatory, so that none is marked. */
const mandatory = { required: true, withAsterisk: false } as const

/** Registers and signs in. If only the sign-in failed, a retry does not register again. */
export default function SignupScreen() {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const termsVersion = hasFeature('terms') ? readLegal().terms?.version : undefined
  const registered = useRef<string | null>(null)
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: SignUpForm,
    submit: async (values) => {
      const body = buildRegistration(values, termsVersion)
      const login = { username: body.email, password: body.password }
      if (registered.current !== JSON.stringify(login)) {
        registered.current = null
        await accountApi.register({ body })
        registered.current = JSON.stringify(login)
      }
      const { token } = await accountApi.signIn({ body: login }, { staysOn401: true })
      session.open(token)
      await navigate('/account_email_sent', { replace: true })
    },
    words: {
      email: t('error.email'),
      password: t('error.badPassword', { min: PASSWORD_MIN_LENGTH }),
    },
    failure: ({ status, fields }) => {
      if (fields.accepted_terms) return t('legal.changedMeanwhile')
      if (fields.password) return { password: t('error.easyPassword') }
      return registered.current === null && (status === 400 || status === 409) ? t('account.signup.refused') : t('account.signup.failed')
    },
  })
  const name = { maxLength: TEXT_LENGTH.personName, ...mandatory }
  return (
    <form {...form} className={classes.form}>
      <UnsavedGuard isDirty={isDirty} isPublic />
      <h1>{t('account.signup.heading')}</h1>
      <p className={classes.lead}>{t('account.signup.lead')}</p>
      <SignedInNote />
      <FormAlert>{failure}</FormAlert>
      <div className={classes.pair}>
        {orderNames(
          <TextField key="first" {...field('first_name')} {...name} label={t('account.field.firstName')} autoComplete="given-name" />,
          <TextField key="last" {...field('last_name')} {...name} label={t('account.field.lastName')} autoComplete="family-name" />,
          i18n.language,
        )}
      </div>
      <AddressField {...field('email')} label={t('account.field.email')} {...mandatory} autoComplete="username" />
      <NewPasswordField
        {...field('password')}
        label={t('login.password')}
        description={t('account.field.passwordHint', { min: PASSWORD_MIN_LENGTH })}
        {...mandatory}
      />
      <CheckboxField name="marketing_consent" hint={t('account.field.consentHint')}>
        {t('account.field.consent')}
      </CheckboxField>
      {termsVersion !== undefined && (
        <CheckboxField name="terms" required aria-invalid={field('terms')['aria-invalid']}>
          {t('legal.agree')}
        </CheckboxField>
      )}
      <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
        {t('account.signup.submit')}
      </Button>
      <nav className={classes.links}>
        <Link to="/login">{t('account.signup.signIn')}</Link>
      </nav>
    </form>
  )
}

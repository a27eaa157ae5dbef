import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { GivenPassword } from '#contracts/accounts/users.ts'
import { parseRole } from '#contracts/rules/user.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { lazy } from '#web/lib/chunk.ts'
import { config } from '#web/lib/config.ts'
import { session } from '#web/lib/session.ts'
import { accountApi, meQuery } from '#web/signed-in/account.queries.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { PasswordField, RequiredLegend } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'

/** Invoices of an erased account are stored for this many years, the longest period that an EU country requires. */
const INVOICE_YEARS = 10

/** Deletes the account. Administrators of pro accounts are referred to support instead. */
export default function DeleteScreen() {
  const { t } = useTranslation()
  const { username, role } = useSuspenseQuery(meQuery()).data
  const known = parseRole(role)
  const [isRefused, setRefused] = useState(known === 'admin' || known === 'deepsupport')
  return (
    <Page title={t('title.accountDelete')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        {isRefused ? (
          <Refusal />
        ) : (
          <>
            <p>{t(known === 'pro' ? 'account.erase.leadMember' : 'account.erase.lead')}</p>
            {known !== 'pro' && <p>{t('account.erase.invoices', { years: INVOICE_YEARS })}</p>}
            <EraseForm username={username} onRefused={() => setRefused(true)} />
          </>
        )}
      </div>
    </Page>
  )
}

function Refusal() {
  const { t } = useTranslation()
  const { supportEmail } = config()
  const help = supportEmail && (
    <Button component="a" href={`mailto:${supportEmail}`} h={44}>
      {t('account.erase.support')}
    </Button>
  )
  return <Notice role="alert" icon={<IconBuilding size={30} />} title={t('account.erase.pro')} action={help} />
}

const SecondFactorStep = lazy(() => import('#web/sign-in/second-factor/second-factor-step.tsx'))

const Form = z.object({ password: GivenPassword, consent: z.boolean() })

/** Deletes the account after signing in again with the password. Any response but 200 to that sign-in deletes nothing. */
function EraseForm({ username, onRefused }: { username: string; onRefused: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isReady, setReady] = useState(false)
  const isProven = useRef(false)
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null)
  const erase = async (token: string) => {
    isProven.current = true
    session.renew(token)
    await accountApi.erase({ query: { profile: 'all' } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'pro_account') onRefused()
      throw error
    })
    await navigate('/login', { replace: true, state: { isErased: true } })
    session.end()
  }
  const { form, field, isBusy, failure } = useForm({
    schema: Form,
    submit: async ({ password }) => {
      isProven.current = false
      try {
        const { token } = await accountApi.signIn({ body: { username, password } }, { staysOn401: true, isStrict: true })
        await erase(token)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'second_factor')) throw error
        setAsked(error.extras)
      }
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
  if (asked) {
    return (
      <Suspense>
        <SecondFactorStep asked={asked} onDone={erase} onLeave={() => setAsked(null)} />
      </Suspense>
    )
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
      <CheckboxField name="consent" required>
        {t('account.erase.consent')}
      </CheckboxField>
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

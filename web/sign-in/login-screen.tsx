import { Button } from '@mantine/core'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { sessions } from '#contracts/accounts/sessions.ts'
import { safeNextPath } from '#contracts/rules/navigation.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { lazy } from '#web/lib/chunk.ts'
import { config } from '#web/lib/config.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import type { LoginState } from '#web/lib/navigation/navigation.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { session } from '#web/lib/session.ts'
import classes from '#web/ui/auth-form.module.css'
import { AddressField, PasswordField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { listControls, useForm } from '#web/ui/form/use-form.ts'
import { SignedInNote } from '#web/ui/signed-in-note.tsx'
import demoAccountsClasses from './demo-accounts.module.css'
import { sessionsApi } from './sign-in.api.ts'

const ResetPassword = lazy(() => import('./reset-password.tsx'))

/** Sign-in and password reset. Never redirects by itself, even with a session. */
export default function LoginScreen() {
  const [query] = useSearchParams()
  if (query.get('view') !== 'reset_password') return <SignIn next={query.get('next')} />
  return <ResetPassword resetKey={query.get('key')} />
}

/** Few sign-ins need it, and the sign-in page's size budget is used up. */
const SecondFactorStep = lazy(
  async () => (await Promise.all([import('#web/sign-in/second-factor/second-factor-step.tsx'), loadWords(['account'])]))[0],
)

function SignIn({ next }: { next: string | null }) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null)
  const enter = async (token: string) => {
    session.open(token)
    await navigate(safeNextPath(next) ?? '/', { replace: true })
  }
  usePasskeys(enter, asked === null)
  // A rejection may lead back to this page while the form is still mounted; then its messages are reset.
  if (!asked) return <PasswordStep key={key} onDone={enter} onAsked={setAsked} />
  return (
    <Suspense>
      <SecondFactorStep asked={asked} onDone={enter} onLeave={() => setAsked(null)} />
    </Suspense>
  )
}

/** The page's message about a session that the backend has just rejected. */
const RefusedSession = lazy(async () => (await Promise.all([import('#web/sign-in/refused-session.tsx'), loadWords(['account'])]))[0])

type Enter = (token: string) => Promise<unknown>

/** Offers passkeys among the suggestions of the user name field, after the first paint. */
function usePasskeys(enter: Enter, isWanted: boolean) {
  const isOffered = useFeature('passkeys') && isWanted
  const latest = useRef(enter)
  useEffect(() => {
    latest.current = enter
  })
  useEffect(() => {
    if (!isOffered || !('PublicKeyCredential' in window)) return
    let isLeft = false
    let stop = () => {}
    void import('#web/sign-in/second-factor/passkey-autofill.ts')
      .then(({ waitForPasskey, stopWaiting }) => {
        stop = stopWaiting
        return waitForPasskey(() => isLeft)
      })
      .then((token) => (token === null || isLeft ? undefined : latest.current(token)))
      // Without passkeys the form still signs in.
      .catch(() => undefined)
    return () => {
      isLeft = true
      stop()
    }
  }, [isOffered])
}

function PasswordStep({ onDone, onAsked }: { onDone: Enter; onAsked: (asked: Record<string, unknown>) => void }) {
  const { t } = useTranslation()
  const hasPasskeys = useFeature('passkeys')
  const { isErased, hasEnded, isFirst } = (useLocation().state ?? {}) as Partial<LoginState> & { isErased?: boolean }
  // The initial state only: the session that the form itself opens was not rejected.
  const [isForbidden] = useState(() => hasEnded === false && session.isOpen())
  const isRefused = hasEnded === true && isFirst === true
  const element = useRef<HTMLFormElement>(null)
  const { form, field, isBusy, failure } = useForm({
    schema: sessions.signIn.body,
    submit: async (body) => {
      try {
        const { token } = await sessionsApi.signIn({ body }, { staysOn401: true, mayRepeat: true })
        await onDone(token)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'second_factor')) throw error
        onAsked(error.extras)
      }
    },
    failure: ({ status }: ApiError) => {
      if (status === 429) return t('error.throttled')
      return status === 400 || status === 401 || status === 403 ? t('login.incorrect') : undefined
    },
  })
  const { demo } = config()
  return (
    <>
      <form ref={element} {...form} className={classes.form}>
        <h1>{t('login.heading')}</h1>
        <p className={classes.lead}>{t('login.lead')}</p>
        {isErased === true && (
          <p role="status" className={classes.note}>
            {t('login.deleted')}
          </p>
        )}
        {hasEnded === true && !isRefused && (
          <p role="status" className={classes.note}>
            {t('login.ended')}
          </p>
        )}
        {isRefused || isForbidden ? (
          <Suspense>
            <RefusedSession isKnown={isRefused} />
          </Suspense>
        ) : (
          <SignedInNote />
        )}
        <FormAlert>{failure}</FormAlert>
        <AddressField
          {...field('username')}
          label={t('login.username')}
          required
          withAsterisk={false}
          autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
        />
        <PasswordField {...field('password')} label={t('login.password')} required withAsterisk={false} autoComplete="current-password" />
        <div className={classes.links}>
          {useFeature('passwordReset') && <Link to="/login?view=reset_password">{t('login.forgot')}</Link>}
        </div>
        <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
          {t('login.submit')}
        </Button>
        <div className={classes.links}>
          <Link to="/signup">{t('login.create')}</Link>
        </div>
      </form>
      {demo && <DemoAccounts {...demo} form={element} />}
    </>
  )
}

type Props = { password: string; accounts: string[]; form: RefObject<HTMLFormElement | null> }

function DemoAccounts({ password, accounts, form }: Props) {
  const { t } = useTranslation()
  const enter = (username: string) => {
    if (!form.current) return
    const values: Record<string, string> = { username, password }
    for (const control of listControls(form.current)) control.value = values[control.name] ?? control.value
    form.current.requestSubmit()
  }
  return (
    <section className={demoAccountsClasses.demo} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">{t('login.demo')}</h2>
      <p>{t('login.demoLead', { password })}</p>
      <ul>
        {accounts.map((account) => (
          <li key={account}>
            <button type="button" onClick={() => enter(account)}>
              {account}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Challenge, TypedCode } from '#contracts/accounts/second-factor.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { factorApi, readProof } from '#web/signed-in/second-factor.api.ts'
import classes from '#web/ui/auth-form.module.css'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'

const Form = z.object({ code: TypedCode })

type Props = {
  /** The fields of the 401 `second_factor`. */
  asked: Record<string, unknown>
  onDone: (token: string) => Promise<unknown>
  /** Returns to the password. */
  onLeave: () => void
}

/** The second step of a sign-in: a code of the app, a recovery code, or a passkey. */
export default function SecondFactorStep({ asked, onDone, onLeave }: Props) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const { challenge, methods, passkey } = Challenge.parse(asked)
  const [problem, setProblem] = useState<'passkey' | null>(null)
  const explain = ({ status, code }: ApiError) => {
    if (status === 429) return t('error.throttled')
    if (status === 410) return t('account.factor.expired')
    return code === 'invalid_code' || code === 'validation_error' ? t('account.factor.wrong') : undefined
  }
  const { form, field, isBusy, failure } = useForm({
    schema: Form,
    submit: async ({ code }) => {
      setProblem(null)
      const { token } = await factorApi.complete({ body: { challenge, ...readProof(code) } }, { staysOn401: true })
      await onDone(token)
    },
    failure: (error) => explain(error),
  })
  useEffect(() => heading.current?.focus(), [])
  const answerWithPasskey = async () => {
    if (!passkey) return
    setProblem(null)
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const response = await startAuthentication({ optionsJSON: passkey })
      const { token } = await factorApi.complete(
        { body: { challenge, passkey: { ...response, clientExtensionResults: {} } } },
        { staysOn401: true },
      )
      await onDone(token)
    } catch (error) {
      if (error instanceof ApiError && error.isLeaving) return
      setProblem('passkey')
    }
  }
  return (
    <form {...form} className={classes.form}>
      <h1 ref={heading} tabIndex={-1}>
        {t('account.factor.heading')}
      </h1>
      <p className={classes.lead}>{t(methods.includes('code') ? 'account.factor.lead' : 'account.factor.leadWithoutApp')}</p>
      <FormAlert>{problem ? t('account.factor.passkeyFailed') : failure}</FormAlert>
      <TextField
        {...field('code')}
        label={t('account.factor.code')}
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
        {t('account.factor.submit')}
      </Button>
      {passkey && (
        <Button
          variant="default"
          size="md"
          h={48}
          fullWidth
          leftSection={<IconFingerprint size={20} aria-hidden="true" />}
          onClick={() => void answerWithPasskey()}
        >
          {t('account.factor.usePasskey')}
        </Button>
      )}
      <Button variant="subtle" h={44} onClick={onLeave}>
        {t('account.factor.back')}
      </Button>
    </form>
  )
}

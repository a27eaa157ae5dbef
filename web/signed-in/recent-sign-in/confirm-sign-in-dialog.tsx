import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { recentSignIn, secondFactor, TypedCode } from '#contracts/accounts/second-factor.ts'
import { GivenPassword } from '#contracts/accounts/users.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { readProof } from '#web/signed-in/second-factor.api.ts'
import { PasswordField, TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

const api = createClient({ ...recentSignIn, readFactor: secondFactor.read, challenge: secondFactor.challenge }, clientPorts)
const STAYS = { staysOn401: true } as const

type Props = { onDone: () => void; onClose: () => void }

/** Asks for the password, or for the second factor of those who have one, before a call that needs a recent sign-in. */
export default function ConfirmSignInDialog(props: Props) {
  return useFeature('secondFactor') ? <ByState {...props} /> : <ByPassword {...props} />
}

function ByState(props: Props) {
  const { totp, passkeys } = useSuspenseQuery({ queryKey: ['secondFactor'], queryFn: ({ signal }) => api.readFactor({}, { signal }) }).data
  return totp || passkeys.length > 0 ? <ByFactor {...props} hasPasskey={passkeys.length > 0} /> : <ByPassword {...props} />
}

function useProblem() {
  const { t } = useTranslation()
  return ({ status, code }: ApiError) => {
    if (status === 429) return t('error.throttled')
    if (code === 'invalid_password') return t('account.password.wrong')
    return code === 'invalid_code' || code === 'validation_error' ? t('account.factor.wrong') : undefined
  }
}

function ByPassword({ onDone, onClose }: Props) {
  const { t } = useTranslation()
  const form = useForm({
    schema: z.object({ password: GivenPassword }),
    submit: async (body) => {
      await api.confirm({ body }, STAYS)
      onDone()
    },
    failure: useProblem(),
  })
  return (
    <FormDialog
      title={t('account.factor.heading')}
      lead={t('account.recent.lead')}
      of={form}
      action={t('account.factor.submit')}
      onClose={onClose}
    >
      <PasswordField {...form.field('password')} label={t('login.password')} required autoComplete="current-password" autoFocus />
    </FormDialog>
  )
}

function ByFactor({ onDone, onClose, hasPasskey }: Props & { hasPasskey: boolean }) {
  const { t } = useTranslation()
  const [hasFailed, setFailed] = useState(false)
  const form = useForm({
    schema: z.object({ code: TypedCode }),
    submit: async ({ code }) => {
      setFailed(false)
      await api.confirm({ body: readProof(code) }, STAYS)
      onDone()
    },
    failure: useProblem(),
  })
  const answerWithPasskey = async () => {
    setFailed(false)
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const { challenge, passkey } = await api.challenge({}, STAYS)
      if (!passkey) return setFailed(true)
      const response = await startAuthentication({ optionsJSON: passkey })
      await api.confirm({ body: { challenge, passkey: { ...response, clientExtensionResults: {} } } }, STAYS)
      onDone()
    } catch {
      setFailed(true)
    }
  }
  return (
    <FormDialog
      title={t('account.factor.heading')}
      lead={t(hasPasskey ? 'account.recent.factorLead' : 'account.recent.codeLead')}
      of={{ ...form, failure: hasFailed ? t('account.factor.passkeyFailed') : form.failure }}
      action={t('account.factor.submit')}
      onClose={onClose}
    >
      <TextField
        {...form.field('code')}
        label={t('account.factor.code')}
        required
        autoComplete="one-time-code"
        spellCheck={false}
        autoFocus
      />
      {hasPasskey && (
        <Button
          variant="default"
          h={44}
          leftSection={<IconFingerprint size={20} aria-hidden="true" />}
          onClick={() => void answerWithPasskey()}
        >
          {t('account.factor.usePasskey')}
        </Button>
      )}
    </FormDialog>
  )
}

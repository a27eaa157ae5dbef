import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { PASSKEY_NAME_LENGTH, passkeys, secondFactor } from '#contracts/accounts/second-factor.ts'
import classes from '#web/account/account.module.css'
import { copyText } from '#web/lib/copy-text.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { QrCode } from '#web/ui/qr-code.tsx'
import codeClasses from './recovery-codes.module.css'
import { passkeysApi, secondFactorApi } from './security.queries.ts'

type Props = { onDone: (codes: string[] | null) => Promise<unknown>; onCancel: () => void }

const STAYS = { staysOn401: true } as const

/** Shows a new secret as a QR code, and activates it with a first code. */
export function AddApp({ onDone, onCancel }: Props) {
  const { t } = useTranslation()
  // A new secret each time the form opens; an old one must not come back from the cache.
  const { data: started } = useQuery({
    queryKey: ['newTotp'],
    queryFn: () => secondFactorApi.startTotp({}, STAYS),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { form, field, isBusy, failure } = useForm({
    schema: secondFactor.confirmTotp.body,
    submit: async (body) => onDone((await secondFactorApi.confirmTotp({ body }, STAYS)).recovery_codes),
    failure: ({ code }) => {
      if (code === 'expired') return t('account.factor.expired')
      return code === 'invalid_code' ? t('account.factor.wrong') : undefined
    },
  })
  if (!started) return null
  return (
    <form {...form} ref={takeFocus} tabIndex={-1} className={classes.form}>
      <p className={classes.text}>{t('account.factor.scan')}</p>
      <QrCode text={started.uri} label={t('account.factor.qr')} />
      <div className={classes.row}>
        <code className={codeClasses.secret}>{started.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <CopyKey secret={started.secret} />
      </div>
      <FormAlert>{failure}</FormAlert>
      <TextField {...field('code')} label={t('account.factor.firstCode')} required inputMode="numeric" autoComplete="one-time-code" />
      <Buttons submit={t('account.factor.turnOn')} isBusy={isBusy} onCancel={onCancel} />
    </form>
  )
}

/** A phone cannot scan its own screen. */
function CopyKey({ secret }: { secret: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className={codeClasses.actions}>
      <Button variant="default" h={44} onClick={() => void copyText(secret).then(setCopied)}>
        {t('account.factor.copyKey')}
      </Button>
      <span role="status">{isCopied && t('links.copied')}</span>
    </div>
  )
}

/** The button that opened the form had the focus, and is gone. */
const takeFocus = (form: HTMLElement | null) => form?.focus()

const PasskeyForm = z.pick(passkeys.create.body, { name: true })

/** Names a passkey and has the browser create it. */
export function AddPasskey({ onDone, onCancel }: Props) {
  const { t } = useTranslation()
  const { form, field, isBusy, failure } = useForm({
    schema: PasskeyForm,
    submit: async ({ name }) => {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const { challenge, options } = await passkeysApi.options({}, STAYS)
      const passkey = await startRegistration({ optionsJSON: options }).catch(() => null)
      if (!passkey) return
      const { recovery_codes } = await passkeysApi.create(
        { body: { challenge, name, passkey: { ...passkey, clientExtensionResults: {} } } },
        STAYS,
      )
      await onDone(recovery_codes)
    },
    failure: () => t('account.factor.passkeyFailed'),
  })
  return (
    <form {...form} ref={takeFocus} tabIndex={-1} className={classes.form}>
      <FormAlert>{failure}</FormAlert>
      <TextField {...field('name')} label={t('account.factor.passkeyName')} required maxLength={PASSKEY_NAME_LENGTH} />
      <Buttons submit={t('account.factor.addPasskey')} isBusy={isBusy} onCancel={onCancel} />
    </form>
  )
}

function Buttons({ submit, isBusy, onCancel }: { submit: string; isBusy: boolean; onCancel: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.links}>
      <Button type="submit" h={44} loading={isBusy}>
        {submit}
      </Button>
      <Button variant="default" h={44} onClick={onCancel}>
        {t('action.cancel')}
      </Button>
    </div>
  )
}

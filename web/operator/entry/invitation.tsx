import { Button } from '@mantine/core'
import { IconClockOff } from '@tabler/icons-react'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { PASSWORD_MIN_LENGTH } from '#contracts/accounts/users.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { STAFF_INVITATION_DAYS, type StaffSession } from '#contracts/operator/staff.ts'
import { RecoveryCodes } from '#web/account/security/recovery-codes.tsx'
import { ApiError } from '#web/lib/api/api-error.ts'
import { sessionApi } from '#web/operator/session/operator.api.ts'
import { roleName } from '#web/operator/session/role-name.ts'
import { Secret } from '#web/operator/session/secret.tsx'
import { setSession } from '#web/operator/session/session-state.ts'
import formClasses from '#web/ui/auth-form.module.css'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { PasswordField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { QrCode } from '#web/ui/qr-code.tsx'
import classes from './entry.module.css'
import { EntryFrame } from './entry-frame.tsx'

/** Opened from the mailed link: a member of staff sets name, password and second factor, and is signed in. */
export default function Invitation() {
  const { t } = useTranslation()
  const key = useSearchParams()[0].get('key') ?? ''
  const navigate = useNavigate()
  const [accepted, setAccepted] = useState<Accepted | null>(null)
  const enter = ({ session }: Accepted) => {
    setSession(session)
    void navigate('/operator', { replace: true })
  }
  return (
    <EntryFrame>
      {accepted ? (
        <div className={formClasses.form}>
          <h1>{t('operator.invitation.heading')}</h1>
          <RecoveryCodes codes={accepted.recovery_codes} onDone={() => enter(accepted)} />
        </div>
      ) : (
        <Part>
          <SetUp invitation={key} onAccepted={setAccepted} />
        </Part>
      )}
    </EntryFrame>
  )
}

type Accepted = { session: StaffSession; recovery_codes: string[] }

/** Each opening makes a new secret, so it is read once. Null: the link has ended. */
const invitationQuery = (key: string) =>
  queryOptions({
    queryKey: ['invitation', key],
    queryFn: () =>
      sessionApi.openInvitation({ body: { key } }).catch((error: unknown) => {
        if (error instanceof ApiError && [400, 410].includes(error.status)) return null
        throw error
      }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  })

const Form = z.omit(operatorApi.staffSession.acceptInvitation.body, { key: true })

function SetUp({ invitation: key, onAccepted }: { invitation: string; onAccepted: (accepted: Accepted) => void }) {
  const { t } = useTranslation()
  const { data: opened } = useSuspenseQuery(invitationQuery(key))
  const { form, field, isBusy, failure } = useForm({
    schema: Form,
    submit: async (body) => onAccepted(await sessionApi.acceptInvitation({ body: { ...body, key } })),
    words: { password: t('error.badPassword', { min: PASSWORD_MIN_LENGTH }) },
    failure: ({ code, fields }): string | Record<string, string> | undefined => {
      if (code === 'expired') return t('operator.invitation.expired')
      if (code === 'invalid_code') return { code: t('account.factor.wrong') }
      return 'password' in fields ? { password: t('error.easyPassword') } : undefined
    },
  })
  if (!opened) return <Ended />
  return (
    <form {...form} className={formClasses.form}>
      <h1>{t('operator.invitation.heading')}</h1>
      <p className={formClasses.lead}>{t('operator.invitation.lead', { email: opened.email, role: roleName(t, opened.role) })}</p>
      <FormAlert>{failure}</FormAlert>
      <TextField
        {...field('name')}
        label={t('operator.invitation.name')}
        required
        maxLength={2 * TEXT_LENGTH.personName}
        autoComplete="name"
        defaultValue={opened.name}
      />
      <PasswordField
        {...field('password')}
        label={t('login.password')}
        description={t('account.field.passwordHint', { min: PASSWORD_MIN_LENGTH })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        autoComplete="new-password"
      />
      <section className={classes.app} aria-label={t('account.factor.app')}>
        <p>{t('account.factor.scan')}</p>
        <QrCode text={opened.uri} label={t('account.factor.qr')} />
        <Secret text={opened.secret.replace(/.{4}(?=.)/g, '$& ')} copied={opened.secret} copy={t('account.factor.copyKey')} />
      </section>
      <TextField {...field('code')} label={t('account.factor.firstCode')} required inputMode="numeric" autoComplete="one-time-code" />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} fullWidth loading={isBusy}>
        {t('operator.invitation.submit')}
      </Button>
    </form>
  )
}

function Ended() {
  const { t } = useTranslation()
  return (
    <Notice isPage icon={<IconClockOff size={30} />} title={t('operator.invitation.expired')}>
      {t('operator.invitation.expiredLead', { days: STAFF_INVITATION_DAYS })}
    </Notice>
  )
}

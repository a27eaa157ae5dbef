import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import { UNLINK_REASONS } from '#contracts/trackers/conflicts.ts'
import { userNameQuery } from '#web/lib/api/user-name.ts'
import { AddressField, RequiredLegend } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './conflict.module.css'
import { ConflictPage } from './conflict-page.tsx'
import { type Conflict, conflict, printedNumber } from './saved-conflict.ts'
import { requestUnlink, UnlinkResultNotice, useUnlinkRequest } from './unlink-request.tsx'

const RequestForm = z.object({ email: Email, reason: z.enum(UNLINK_REASONS), message: z.string() })

export default function UnlinkScreen() {
  const { t } = useTranslation()
  return (
    <ConflictPage title={t('title.conflictingUnlink')} back={{ to: '/conflicting', label: t('title.conflicting') }}>
      {(known) => <Request known={known} />}
    </ConflictPage>
  )
}

function Request({ known }: { known: Conflict }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const wantsProof = useRef(false)
  const { result, submitRequest, failure } = useUnlinkRequest()
  const form = useForm({
    schema: RequestForm,
    submit: async ({ message, ...rest }) => {
      const request = { ...rest, ...(message.trim() && { message: message.trim() }) }
      if (!wantsProof.current) return submitRequest(() => requestUnlink(known, request))
      conflict.save({ ...known, request })
      await navigate('/conflicting-security')
    },
    words: { email: t('error.email') },
    failure,
  })
  if (result) return <UnlinkResultNotice known={known} result={result} />
  return (
    <form {...form.form} className={classes.form}>
      <p className={classes.note}>{t('add.conflict.requestLead', { number: printedNumber(known) })}</p>
      <FormAlert>{form.failure}</FormAlert>
      <Fields known={known} field={form.field} />
      <RequiredLegend />
      <div className={classes.buttons}>
        <Button type="submit" h={44} loading={form.isBusy} onClick={() => (wantsProof.current = false)}>
          {t('add.conflict.send')}
        </Button>
        <Button type="submit" h={44} variant="default" disabled={form.isBusy} onClick={() => (wantsProof.current = true)}>
          {t('add.conflict.prove')}
        </Button>
      </div>
      <p className={classes.note}>{t('add.conflict.proveHint')}</p>
      <UnsavedGuard isDirty={form.isDirty} />
    </form>
  )
}

type FieldsProps = { known: Conflict; field: ReturnType<typeof useForm<typeof RequestForm>>['field'] }

function Fields({ known: { request }, field }: FieldsProps) {
  const { t } = useTranslation()
  const userName = useQuery(userNameQuery()).data?.username ?? ''
  // State, so that the field keeps its value when the session ends and the user name is gone.
  const [email] = useState(request?.email ?? (userName.includes('@') ? userName : ''))
  const reasons = UNLINK_REASONS.map((reason) => ({ value: reason, label: t(`add.conflict.reason.${reason}`) }))
  return (
    <>
      <AddressField {...field('email')} label={t('add.conflict.email')} required autoComplete="email" defaultValue={email} />
      <SelectField
        {...field('reason')}
        label={t('add.conflict.reason.label')}
        required
        defaultValue={request?.reason ?? ''}
        data={[{ value: '', label: t('add.conflict.reason.choose') }, ...reasons]}
      />
      <TextAreaField
        {...field('message')}
        label={t('add.conflict.message')}
        maxLength={TEXT_LENGTH.message}
        defaultValue={request?.message ?? ''}
      />
    </>
  )
}

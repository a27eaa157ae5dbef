import { Button } from '@mantine/core'
import { IconArrowRight, IconUsers } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { DEVICE_TYPES } from '#contracts/rules/tracking/tracker.ts'
import { NewTracker } from '#contracts/trackers/trackers.ts'
import { conflict } from '#web/conflict/saved-conflict.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { KindChoice } from '#web/trackers/parts/kind-choice.tsx'
import { phonesApi, trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './add-tracker.module.css'
import { type AddedBy, formatTypedIdentifier, NumberField } from './number-field.tsx'

/** Adds a tracker by its number. Team members only see assigned trackers and cannot add any. */
export default function AddTrackerScreen() {
  const { t } = useTranslation()
  useSuspenseQuery(sessionQuery())
  const mayAdd = useHasRight('ownTrackers')
  return (
    <Page isNarrow title={t('title.trackerAdd')} back={{ to: '/trackers', label: t('trackers.heading') }} lead={mayAdd && t('add.lead')}>
      {mayAdd ? <AddForm /> : <NotAllowed />}
    </Page>
  )
}

function NotAllowed() {
  const { t } = useTranslation()
  return (
    <Notice
      icon={<IconUsers size={30} />}
      title={t('add.notAllowed')}
      action={
        <Button component={Link} to="/trackers" variant="default">
          {t('trackers.heading')}
        </Button>
      }
    >
      {t('add.notAllowedLead')}
    </Notice>
  )
}

/** Asks for the model only when the server cannot derive it from the identifier. */
function AddForm() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [by, setBy] = useState<AddedBy>('identifier')
  const hasPhones = useFeature('phones')
  const { form, field, isBusy, isDirty, failure, asksType, isTaken } = useAddTracker(by)
  return (
    <form {...form} className={classes.form}>
      <FormAlert>{failure}</FormAlert>
      {isTaken && (
        <Link to="/conflicting" className={classes.conflict}>
          {t('add.isYours')}
          <IconArrowRight size={18} aria-hidden="true" />
        </Link>
      )}
      <NumberField
        by={by}
        onBy={setBy}
        hasPhones={hasPhones}
        field={field}
        defaultValue={formatTypedIdentifier(params.get('identifier') ?? '')}
      />
      {asksType && by !== 'phone' && <TypeField {...field('type')} />}
      <TextField {...field('name')} label={t('trackers.name')} required maxLength={TEXT_LENGTH.deviceName} autoComplete="off" />
      <KindChoice {...field('kind')} legend={t('add.kind')} />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} loading={isBusy}>
        {t('add.submit')}
      </Button>
      <UnsavedGuard isDirty={isDirty && !isTaken} />
    </form>
  )
}

type Props = { name: string; error: string | undefined; 'aria-invalid': boolean }

const focusOnMount = (select: HTMLSelectElement | null) => select?.focus()

function TypeField(props: Props) {
  const { t } = useTranslation()
  const option = (type: (typeof DEVICE_TYPES)[number]) => ({
    value: type,
    // Models with the same name are distinguished by their number.
    label: `${t(`types.${type}`)} ${/\d*$/.exec(type)?.[0]}`.trim(),
  })
  return (
    <SelectField
      {...props}
      ref={focusOnMount}
      label={t('tracker.type')}
      required
      data={[{ value: '', label: t('add.chooseModel') }, ...DEVICE_TYPES.map(option)]}
    />
  )
}

/**
 * Form state for adding a tracker. Some rejections ask for the model or link to the conflict pages. A phone is connected on the page of its
 * tracker.
 */
function useAddTracker(by: AddedBy) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [asksType, setAsksType] = useState(false)
  const [isTaken, setTaken] = useState(false)
  const submit = async (body: TrackerForm) => {
    setTaken(false)
    try {
      const device = await (by === 'phone' ? phonesApi.add({ body }) : trackersApi.add({ body }))
      const { queryKey } = devicesQuery()
      queries.setQueryData(queryKey, (devices) => devices && [device, ...devices.filter(({ id }) => id !== device.id)])
      void queries.invalidateQueries({ queryKey })
      conflict.clear()
      showToast(t('add.added'))
      await navigate(`/trackers/${encodeURIComponent(device.id)}${by === 'phone' ? '?sheet=phones' : ''}`, { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.fields.type) setAsksType(true)
      if (error.code === 'identifier_taken') {
        conflict.save(normalizeNumbers(body))
        setTaken(true)
      }
      throw error
    }
  }
  const form = useForm({
    schema: TrackerForm,
    submit,
    words: { identifier: t('add.invalidId'), serial: t('add.invalidSerial') },
    failure: ({ code, fields }) => {
      if (code === 'identifier_taken') return t('add.taken')
      if (code === 'not_in_stock' || code === 'blocked') return nameFields(fields, t(`add.${code}`))
      return fields.type ? t('add.typeNeeded') : undefined
    },
  })
  return { ...form, asksType, isTaken }
}

const normalizeNumbers = ({ identifier, serial }: TrackerForm) => {
  const numbers = { identifier: normalizeIdentifier(identifier ?? ''), serial: normalizeSerial(serial ?? '') }
  return { ...(numbers.identifier && { identifier: numbers.identifier }), ...(numbers.serial && { serial: numbers.serial }) }
}

const nameFields = (fields: object, reason: string) => Object.fromEntries(Object.keys(fields).map((name) => [name, reason]))

const parseableBy = (normalize: (text: string) => string | null) => z.string().check(z.refine((text) => normalize(text) !== null))

/** Rejects malformed numbers before a request is sent; serial checks are limited. */
const TrackerForm = z.object({
  ...NewTracker.shape,
  identifier: z.optional(parseableBy(normalizeIdentifier)),
  serial: z.optional(parseableBy(normalizeSerial)),
})
type TrackerForm = z.infer<typeof TrackerForm>

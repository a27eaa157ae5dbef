import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alert } from '#contracts/alerts.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { type AlertContent, type Slot, usePartialFormatter, usePartsFormatter } from './alert.format.ts'
import classes from './alert.module.css'
import { AlertPicker } from './alert-pickers.tsx'
import { AlertSentence, type SentenceField } from './alert-sentence.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { type AlertDraft, type AlertStart, useAlertDraft, useAlertForm } from './use-alert-form.ts'

const UsualHint = lazy(() => import('#web/alerts/rules/usual-hint.tsx'))
const DryRun = lazy(() => import('#web/alerts/dry-run/dry-run.tsx'))

export function AlertForm({ alert, start }: { alert: Alert | undefined; start?: AlertStart }) {
  const { t } = useTranslation()
  const all = useSuspenseQuery(devicesQuery()).data
  const me = useSuspenseQuery(meQuery()).data
  const formatParts = usePartsFormatter()
  const describeAlert = usePartialFormatter()
  const draft = useAlertDraft(alert, all, me, start)
  const { content } = draft
  const { form, field, isBusy, isDirty, failure } = useAlertForm(alert, content, me)
  const hasPlaces = useFeature('places')
  const hasNormal = useFeature('normal')
  const [open, setOpen] = useState<Slot | null>(null)
  const [isAdding, setAdding] = useState(false)
  const fieldOf = (name: 'devices' | 'contacts' | 'place', value: string, needed?: string): SentenceField => {
    const { error } = field(name)
    return { name, value, error: error && value === '' ? (needed ?? error) : error }
  }
  const isPair = isPairRule(content.rule ?? null)
  const isHalf = isPair && content.devices.length < 2
  const fields = {
    who: fieldOf('devices', isHalf ? '' : content.devices.join(','), isPair ? t('alerts.rule.two') : t('alerts.whoNeeded')),
    ...(hasPlaces && draft.asksPlace && { place: fieldOf('place', String(content.place ?? '')) }),
    whom: fieldOf('contacts', content.contacts.join(','), t('alerts.whomNeeded')),
  }
  return (
    <>
      <VisuallyHidden>
        <span role="status">{describeAlert(content).join(' ')}</span>
      </VisuallyHidden>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <AlertSentence sentences={formatParts(content)} fields={fields} onOpen={setOpen} />
        <TriedAlert content={content} onRule={draft.setRule} />
        {hasNormal && content.rule?.kind === 'unusual' && content.devices.length > 0 && (
          <Part skeleton={null}>
            <UsualHint devices={all.filter(({ id }) => content.devices.includes(id))} />
          </Part>
        )}
        <TextField
          {...field('name')}
          label={t('alerts.name')}
          maxLength={TEXT_LENGTH.alertName}
          autoComplete="off"
          defaultValue={alert?.name ?? ''}
        />
        <Button type="submit" size="md" h={48} loading={isBusy}>
          {alert ? t('action.save') : t('alerts.create')}
        </Button>
        <UnsavedGuard isDirty={isDirty} />
        {open && (
          <AlertPicker
            slot={open}
            draft={draft}
            me={me}
            hasTrackers={all.length > 0}
            onAddContact={() => setAdding(true)}
            onClose={() => setOpen(null)}
          />
        )}
      </form>
      {isAdding && <ContactDialog onSaved={({ id }) => draft.setContacts([...content.contacts, id])} onClose={() => setAdding(false)} />}
    </>
  )
}

/** What the alert would have fired, once it is complete, on a backend that can compute it. */
type TriedProps = { content: AlertContent; onRule: AlertDraft['setRule'] }

function TriedAlert({ content: { devices, place, trigger, vehicle_alert, ...more }, onRule }: TriedProps) {
  const places = usePlaces()
  const known = pickListed(TRIGGERS, trigger ?? '', null)
  const hasDryRun = useFeature('alertDryRun')
  const isComplete =
    devices.length > 0 &&
    more.rule?.kind !== 'button' &&
    !(isPairRule(more.rule ?? null) && devices.length < 2) &&
    more.rule?.kind !== 'unusual' &&
    (more.rule !== undefined || (place === null || known === null ? vehicle_alert && place === null : true))
  return (
    hasDryRun &&
    isComplete && (
      <Part skeleton={null}>
        <DryRun
          alert={{
            devices: [...devices],
            place,
            trigger: known,
            vehicle_alert,
            rule: more.rule,
            schedule: more.schedule,
            pause: more.pause,
          }}
          place={places.find(({ id }) => id === place)}
          onRule={onRule}
        />
      </Part>
    )
  )
}

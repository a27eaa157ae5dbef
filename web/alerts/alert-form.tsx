import { Button } from '@mantine/core'
import { IconArrowRight, IconLogin2, IconLogout2, IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { User } from '#contracts/accounts/users.ts'
import type { Alert } from '#contracts/alerts.ts'
import { parseId } from '#contracts/lib/common.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery, usePlaces } from '#web/places/places.queries.ts'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { type AlertContent, ME, usePartialFormatter } from './alert.format.ts'
import classes from './alert.module.css'
import { contactsQuery } from './alerts.queries.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { type AlertDraft, type AlertStart, findOwnContact, useAlertDraft, useAlertForm } from './use-alert-form.ts'

const DryRun = lazy(() => import('#web/alerts/dry-run/dry-run.tsx'))

export function AlertForm({ alert, start }: { alert: Alert | undefined; start?: AlertStart }) {
  const { t } = useTranslation()
  const all = useSuspenseQuery(devicesQuery()).data
  const me = useSuspenseQuery(meQuery()).data
  const describeAlert = usePartialFormatter()
  const draft = useAlertDraft(alert, all, me, start)
  const { form, field, isBusy, isDirty, failure } = useAlertForm(alert, draft.content, me)
  const hasPlaces = useFeature('places')
  const asksNew = useFeature('trackers') && all.length === 0
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <p role="status" className={classes.sentence}>
        {describeAlert(draft.content).join(' ')}
      </p>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <CheckboxField
          checked={draft.content.vehicle_alert}
          onChange={({ target }) => draft.setVehicle(target.checked)}
          hint={t('alerts.vehicleHint')}
        >
          {t('alerts.vehicle')}
        </CheckboxField>
        <MultiChoice
          {...field('devices')}
          legend={t('alerts.who')}
          required
          needed={t('alerts.whoNeeded')}
          value={draft.content.devices}
          onChange={draft.setDevices}
          options={draft.offered.map((device) => ({ id: device.id, label: device.name, icon: <KindDisc of={device} size={32} /> }))}
        >
          {draft.offered.length === 0 && (
            <p className={classes.hint}>
              {all.length === 0 ? t('trackers.none') : t('alerts.noVehicle')}
              <Link to={asksNew ? '/trackers/add' : '/trackers'} className={classes.link}>
                {asksNew ? t('title.trackerAdd') : t('title.trackers')}
                <IconArrowRight size={18} aria-hidden="true" />
              </Link>
            </p>
          )}
        </MultiChoice>
        {hasPlaces && draft.asksPlace && (
          <Part>
            <PlaceFields draft={draft} field={field('place')} />
          </Part>
        )}
        <Part>
          <ContactField
            field={field('contacts')}
            me={me}
            value={draft.content.contacts}
            onChange={draft.setContacts}
            onAdd={() => setAdding(true)}
          />
        </Part>
        <TriedAlert content={draft.content} />
        <TextField
          {...field('name')}
          label={t('alerts.name')}
          maxLength={TEXT_LENGTH.alertName}
          autoComplete="off"
          defaultValue={alert?.name ?? ''}
        />
        <RequiredLegend />
        <Button type="submit" size="md" h={48} loading={isBusy}>
          {alert ? t('action.save') : t('alerts.create')}
        </Button>
        <UnsavedGuard isDirty={isDirty} />
      </form>
      {isAdding && (
        <ContactDialog onSaved={({ id }) => draft.setContacts([...draft.content.contacts, id])} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

/** What the alert would have fired, once it is complete, on a backend that can compute it. */
function TriedAlert({ content: { devices, place, trigger, vehicle_alert } }: { content: AlertContent }) {
  const places = usePlaces()
  const known = pickListed(TRIGGERS, trigger ?? '', null)
  const hasDryRun = useFeature('alertDryRun')
  const isComplete = devices.length > 0 && (place === null || known === null ? vehicle_alert && place === null : true)
  return (
    hasDryRun &&
    isComplete && (
      <Part skeleton={null}>
        <DryRun alert={{ devices: [...devices], place, trigger: known, vehicle_alert }} place={places.find(({ id }) => id === place)} />
      </Part>
    )
  )
}

const TRIGGER_ICONS = { enter: IconLogin2, leave: IconLogout2 }

type Props = { draft: AlertDraft; field: { name: string; error: string | undefined; 'aria-invalid': boolean } }

function PlaceFields({ draft: { content, triggers, setTrigger, setPlace }, field }: Props) {
  const { t } = useTranslation()
  const places = useSuspenseQuery(placesQuery()).data
  return (
    <>
      <div className={classes.labelled}>
        <span aria-hidden="true">{t('alerts.when')}</span>
        <SegmentedControl
          label={t('alerts.when')}
          value={content.trigger ?? 'enter'}
          onChange={setTrigger}
          options={triggers.map((trigger) => {
            const known = pickListed(TRIGGERS, trigger, null)
            const Icon = known && TRIGGER_ICONS[known]
            return {
              value: trigger,
              label: known ? t(`alerts.${known}`) : `${t('places.types.other')} (${trigger})`,
              icon: Icon && <Icon size={18} />,
            }
          })}
        />
      </div>
      <SelectField
        {...field}
        label={t('alerts.place')}
        required
        value={content.place ?? ''}
        onChange={({ target }) => setPlace(target.value ? parseId(target.value) : null)}
        data={[{ value: '', label: t('alerts.choosePlace') }, ...places.map(({ id, name }) => ({ value: String(id), label: name }))]}
      />
      {places.length === 0 && (
        <p className={classes.hint}>
          {t('alerts.noPlace')}
          <Link to="/places/new" className={classes.link}>
            {t('title.placeNew')}
            <IconArrowRight size={18} aria-hidden="true" />
          </Link>
        </p>
      )}
    </>
  )
}

type ContactFieldProps = {
  me: User
  field: { name: string; error: string | undefined }
  value: readonly number[]
  onChange: (value: number[]) => void
  onAdd: () => void
}

function ContactField({ field: { name, error }, me, value, onChange, onAdd }: ContactFieldProps) {
  const { t } = useTranslation()
  const contacts = useSuspenseQuery(contactsQuery()).data
  const own = findOwnContact(contacts, me)
  const others = contacts.filter((contact) => contact !== own)
  return (
    <MultiChoice
      name={name}
      error={error}
      legend={t('alerts.whom')}
      required
      needed={t('alerts.whomNeeded')}
      value={value.map((id) => (id === own?.id ? ME : id))}
      onChange={onChange}
      options={[
        ...(me.email ? [{ id: ME, label: t('alerts.meOption', { email: me.email }) }] : []),
        ...others.map(({ id, name: label, email }) => ({ id, label, hint: email })),
      ]}
    >
      {others.length === 0 && <p className={classes.hint}>{t('contacts.none')}</p>}
      <Button variant="default" h={44} leftSection={<IconPlus size={18} />} className={classes.add ?? ''} onClick={onAdd}>
        {t('contacts.add')}
      </Button>
    </MultiChoice>
  )
}

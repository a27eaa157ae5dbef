import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Alert } from '#contracts/alerts.ts'
import { TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { KindDisc } from '#web/trackers/parts/kind-disc.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { Tick } from '#web/ui/form/tick.tsx'
import { Local } from '#web/ui/local.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './alert.module.css'
import { ContactDialog } from './contact-dialog.tsx'
import { ContactField } from './contact-field.tsx'
import { PlaceFields } from './place-fields.tsx'
import { useSentences } from './sentences.ts'
import { useDraft } from './use-draft.ts'
import { useSave } from './use-save.ts'

/** The form of an alert, below the sentence that it describes so far. */
export function Builder({ alert }: { alert: Alert | undefined }) {
  const { t } = useTranslation()
  const all = useSuspenseQuery(devicesQuery()).data
  const { say } = useSentences()
  const draft = useDraft(alert, all)
  const { form, field, isBusy, isDirty, failure } = useSave(alert, draft.told)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <p role="status" className={classes.sentence}>
        {say?.(draft.told).join(' ')}
      </p>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <Tick checked={draft.told.vehicle_alert} onChange={({ target }) => draft.setVehicle(target.checked)} hint={t('alerts.vehicleHint')}>
          {t('alerts.vehicle')}
        </Tick>
        <MultiChoice
          {...field('devices')}
          legend={t('alerts.who')}
          required
          needed={t('alerts.whoNeeded')}
          value={draft.told.devices}
          onChange={draft.setDevices}
          options={draft.offered.map(({ id, name, kind }) => ({ id, label: name, icon: <KindDisc kind={kind} size={32} /> }))}
        >
          {draft.offered.length === 0 && (
            <p className={classes.hint}>
              {all.length === 0 ? t('trackers.none') : t('alerts.noVehicle')}
              <Link to={all.length === 0 ? '/trackers/add' : '/trackers'} className={classes.link}>
                {all.length === 0 ? t('title.trackerAdd') : t('title.trackers')}
                <IconArrowRight size={18} aria-hidden="true" />
              </Link>
            </p>
          )}
        </MultiChoice>
        {draft.asksPlace && (
          <Local>
            <PlaceFields draft={draft} field={field('place')} />
          </Local>
        )}
        <Local>
          <ContactField field={field('contacts')} value={draft.told.contacts} onChange={draft.setContacts} onAdd={() => setAdding(true)} />
        </Local>
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
      {isAdding && <ContactDialog onSaved={({ id }) => draft.setContacts([...draft.told.contacts, id])} onClose={() => setAdding(false)} />}
    </>
  )
}

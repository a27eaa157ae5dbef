import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { batteryAlerts } from '#contracts/battery-alerts.ts'
import { lowBatteryLevels } from '#contracts/rules/tracking/alert.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { showToast } from '#web/lib/toasts.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { SavePart } from '#web/ui/form/save-bar.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { contactsQuery } from './alerts.queries.ts'
import classes from './battery-alert-form.module.css'

const batteryAlertsApi = createClient(batteryAlerts, clientPorts)

const batteryAlertQuery = (id: number) =>
  queryOptions({
    queryKey: ['batteryAlert', id],
    queryFn: ({ signal }) => batteryAlertsApi.read({ params: { id } }, { signal }),
  })

/** The level below which a tracker alerts its owner, and the contacts that it alerts too. */
export function BatteryAlertForm({ device, mayChange }: { device: Device; mayChange: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const query = batteryAlertQuery(device.id)
  const alert = useSuspenseQuery(query).data
  const known = useSuspenseQuery(contactsQuery()).data
  const [contacts, setContacts] = useState<number[]>(alert.contacts)
  const { min, max } = lowBatteryLevels(alert.unit)
  const fault = t('settings.sct2.fault', { min, max })
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: z.object({ threshold: z.coerce.number().check(z.int(), z.minimum(min), z.maximum(max)) }),
    words: { threshold: fault },
    submit: async ({ threshold }) => {
      const body = { threshold, contacts }
      queries.setQueryData(query.queryKey, await batteryAlertsApi.save({ params: { id: device.id }, body }))
      showToast(t('form.saved'))
    },
  })
  return (
    <form {...form}>
      <fieldset className={classes.fields} disabled={!mayChange}>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...field('threshold')}
          label={t(`settings.lowBattery.${alert.unit}`)}
          description={t('settings.lowBattery.range', { min, max })}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(alert.threshold)}
        />
        {known.length > 0 && (
          <MultiChoice
            legend={t('settings.lowBattery.contacts')}
            name="contacts"
            options={known.map(({ id, name, email }) => ({ id, label: name, hint: email }))}
            value={contacts}
            onChange={setContacts}
          />
        )}
        <p className={classes.lead}>{t('settings.lowBattery.lead')}</p>
      </fieldset>
      <SavePart isDirty={isDirty} isBusy={isBusy} />
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Place } from '#contracts/places.ts'
import { type Geofence, PLACE_RADIUS, TRIGGERS } from '#contracts/rules/geo/place.ts'
import { useAlertFormatter } from '#web/alerts/alert.format.ts'
import { alertsQuery } from '#web/alerts/alerts.queries.ts'
import DryRun, { type BorderAdvice } from '#web/alerts/dry-run/dry-run.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'

/** `border`: what the form of the place has now; null while it is no border yet. */
type Props = { place: Place; border: Geofence | null; onAdvice: (border: BorderAdvice) => void }

/** What an alert of a place would have fired with the border that is being drawn. */
export default function PlaceDryRun({ place, border, onAdvice }: Props) {
  const { t } = useTranslation()
  const describe = useAlertFormatter()
  const [chosen, setChosen] = useState('')
  const alerts = useSuspenseQuery(alertsQuery()).data.filter((alert) => alert.place === place.id && alert.devices.length > 0)
  const alert = alerts.find(({ id }) => String(id) === chosen) ?? alerts[0]
  if (!alert || !border) return null
  const { devices, trigger, vehicle_alert, rule, schedule, pause } = alert
  const { lat, lng, radius, shape } = border
  const drawn = shape ? { shape } : { circle: { lat, lng, radius: Math.max(PLACE_RADIUS.min, radius) } }
  const unsaved = { devices, trigger: pickListed(TRIGGERS, trigger ?? '', null), vehicle_alert, rule, schedule, pause, ...drawn }
  return (
    <>
      {alerts.length > 1 && (
        <SelectField
          label={t('alerts.dryRun.which')}
          value={String(alert.id)}
          onChange={({ target }) => setChosen(target.value)}
          data={alerts.map((one) => ({ value: String(one.id), label: describe(one).join(' ') }))}
        />
      )}
      <DryRun alert={unsaved} place={{ ...place, lat, lng, radius, shape: shape ?? undefined }} onAdvice={onAdvice} />
    </>
  )
}

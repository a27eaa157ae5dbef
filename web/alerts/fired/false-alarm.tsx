import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { type Alert, alerts } from '#contracts/alerts.ts'
import type { AlertFiring } from '#contracts/firings.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import classes from './inbox.module.css'

const alertsApi = createClient({ list: alerts.list }, clientPorts)

/** The rules of today, cached as for their own page. */
const alertsQuery = () => queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => alertsApi.list({}, { signal }) })

const DryRun = lazy(() => import('#web/alerts/dry-run/dry-run.tsx'))

/** After a false alarm: what the rule would have fired lately, with a better radius if there is one, and the way to the rule. */
export function FalseAlarm({ firing }: { firing: AlertFiring }) {
  const { t } = useTranslation()
  const hasDryRun = useFeature('alertDryRun')
  const alert = useQuery(alertsQuery()).data?.find((one) => mayHaveFired(one, firing))
  const place = useQuery(placesQuery()).data?.find(({ id }) => id === firing.place)
  return (
    <section className={classes.part} aria-label={t('fired.isFalse')}>
      <h3>{t('fired.isFalse')}</h3>
      {alert && place && hasDryRun && (
        <Part>
          <DryRun
            alert={{ devices: alert.devices, place: place.id, trigger: pickListed(TRIGGERS, alert.trigger ?? '', null) }}
            place={place}
          />
        </Part>
      )}
      {alert && (
        <Button component={Link} to={`/alerts/${encodeURIComponent(alert.id)}`} variant="default" h={44} className={classes.rule ?? ''}>
          {t('fired.changeRule')}
        </Button>
      )}
    </section>
  )
}

/** Whether a rule of today is the one that fired: for this tracker, this place and this side of its border. */
function mayHaveFired({ devices, place, trigger, vehicle_alert }: Alert, { device, kind, place: about }: AlertFiring) {
  if (!devices.includes(device)) return false
  if (kind === 'vehicle_alert') return vehicle_alert
  return place === about && kind === `place_${trigger}`
}

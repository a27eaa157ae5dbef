import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { FIX_FAULTS, REFUSAL_REASONS } from '#contracts/rules/tracking/fix.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { BatteryAlertForm } from '#web/alerts/battery-alert-form.tsx'
import { TrackerAlerts } from '#web/alerts/place-alerts.tsx'
import { ImportButton } from '#web/history/data/import-button.tsx'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { hasFeature, useFeature, useFeatures } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { NetworkNumbersForm } from '#web/networks/network-numbers-form.tsx'
import { PayloadFieldsForm } from '#web/networks/payload-fields-form.tsx'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { blockReason } from '#web/trackers/block-reason.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { AboutForm } from './about-form.tsx'
import { CareSection } from './care-section.tsx'
import { FaceForm } from './face-form.tsx'
import { ModeFacts } from './mode-fields.tsx'
import { ModeForm } from './mode-form.tsx'
import classes from './settings.module.css'

export function TrackerPart({ device, onRemoved }: { device: Device; onRemoved: () => void }) {
  const { t } = useTranslation()
  const { role } = useSuspenseQuery(sessionQuery()).data
  const block = blockReason('mode', device, role, useNow())
  const mayChange = useHasRight('changeTrackers')
  const mayRemove = useHasRight('ownTrackers')
  const has = useFeatures()
  return (
    <>
      <Section title={t('mode.label')}>
        {block && (
          <p className={classes.why}>
            {t(`tracker.blocked.${block}`)}
            {block === 'deactivated' && has('networkActivation') && (
              <Link to={`/network_activate?id=${encodeURIComponent(device.id)}`}>{t('title.networkActivate')}</Link>
            )}
          </p>
        )}
        {has('modes') ? <ModeForm device={device} isBlocked={block !== null} /> : <ModeFacts device={device} />}
      </Section>
      {has('trackerChange') && (
        <Section title={t('settings.about')}>
          <AboutForm device={device} mayChange={mayChange} />
        </Section>
      )}
      {has('photos') && (
        <Section title={t('settings.photo.heading')}>
          <FaceForm device={device} mayChange={mayChange} />
        </Section>
      )}
      <CareSection device={device} />
      <RefusedSection device={device.id} />
      {has('trackerRemoval') && mayRemove && (
        <Section title={t('settings.remove')}>
          <RemoveTracker device={device} onRemoved={onRemoved} />
        </Section>
      )}
    </>
  )
}

/** The alert for a low battery, and the alerts of places that watch this tracker. */
export function AlertsPart({ device }: { device: Device }) {
  const { t } = useTranslation()
  const mayChange = useHasRight('changeTrackers')
  const mayRead = useHasRight('readPlaces')
  const mayAdd = useHasRight('changePlaces')
  const has = useFeatures()
  return (
    <>
      {has('batteryAlert') && (
        <Section title={t('settings.lowBattery.heading')}>
          <Part>
            <BatteryAlertForm device={device} mayChange={mayChange} />
          </Part>
        </Section>
      )}
      {has('alerts') && mayRead && (
        <Section title={t('title.alerts')}>
          <Part>
            <TrackerAlerts device={device.id} />
          </Part>
          {mayAdd && (
            <div>
              <Button
                component={Link}
                to={`/alerts/new?tracker=${encodeURIComponent(device.id)}`}
                variant="default"
                h={44}
                leftSection={<IconPlus size={18} />}
              >
                {t('title.alertNew')}
              </Button>
            </div>
          )}
        </Section>
      )}
    </>
  )
}

/** What few owners need: numbers of other networks, payloads, files. */
export function AdvancedPart({ device }: { device: Device }) {
  const { t } = useTranslation()
  const has = useFeatures()
  const mayChange = useHasRight('changeTrackers')
  return (
    <>
      {has('networkNumbers') && (
        <Section title={t('networks.heading')}>
          <Part>
            <NetworkNumbersForm device={device.id} mayChange={mayChange} />
          </Part>
          <Part>
            <PayloadFieldsForm device={device.id} mayChange={mayChange} />
          </Part>
        </Section>
      )}
      {has('import') && mayChange && (
        <Section title={t('history.data.import')}>
          <p className={classes.why}>{t('settings.importLead')}</p>
          <div>
            <ImportButton device={device} />
          </div>
        </Section>
      )}
    </>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.card} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

const refusedQuery = (id: number) =>
  queryOptions({ queryKey: ['refusedPositions', id], queryFn: ({ signal }) => positionsApi.refused({ params: { id } }, { signal }) })

/** The tracker's rejected positions, because of their time or without a satellite fix. Absent without any. */
function RefusedSection({ device }: { device: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const refused = useQuery({ ...refusedQuery(device), enabled: useFeature('refusedPositions') }).data
  if (!refused || refused.length === 0) return null
  const hasWrongTime = refused.some(({ reason }) => FIX_FAULTS.some((each) => each === reason))
  return (
    <section className={classes.card} aria-label={t('settings.refused.heading')}>
      <h2>{t('settings.refused.heading')}</h2>
      {hasWrongTime && <p className={classes.why}>{t('settings.refused.lead')}</p>}
      {refused.map(({ reason, count, last_at, last_datetime }) => {
        const known = REFUSAL_REASONS.find((each) => each === reason)
        const values = { number: formats.number(count), at: formats.dateTime(last_at), time: formats.dateTime(last_datetime) }
        return known && <p key={reason}>{t(`settings.refused.${known}`, values)}</p>
      })}
    </section>
  )
}

/** Removes the tracker and all its data from the account. */
function RemoveTracker({ device, onRemoved }: { device: Device; onRemoved: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await trackersApi.remove({ params: { id: device.id } }).catch((error: unknown) => {
      // A backend without the call has not removed the tracker.
      if (!hasFeature('trackerRemoval')) throw error
      ignoreGone(error)
    })
    showToast(t('settings.removed'))
    onRemoved()
    queries.setQueryData(devicesQuery().queryKey, (devices) => devices?.filter(({ id }) => id !== device.id))
  }
  return (
    <div className={classes.section}>
      <p className={classes.note}>{t('settings.removeLead')}</p>
      <div>
        <Button
          variant="default"
          h={44}
          className={classes.danger ?? ''}
          leftSection={<IconTrash size={18} />}
          onClick={() => setAsking(true)}
        >
          {t('settings.remove')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('settings.removeAsk', { name: device.name })}
          action={t('settings.remove')}
          isDanger
          onConfirm={remove}
          onClose={() => setAsking(false)}
          failure={({ code }) => (code === 'recurring_active' ? t('settings.renews') : undefined)}
        >
          <p>{t('settings.removeLead')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

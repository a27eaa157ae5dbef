import { IconMapPinOff, IconMapPinQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFeatures } from '#web/lib/api/features.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { WithDevices } from '#web/trackers/with-devices.tsx'
import { Empty, Notice } from '#web/ui/feedback/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { AssistanceSection } from './assistance-section.tsx'
import { InAppSection } from './in-app-section.tsx'
import { LostModeSection } from './lost-mode.tsx'
import { PositionSection } from './position-section.tsx'
import { ReportSection } from './report-section.tsx'
import classes from './theft-file.module.css'

export default function TheftFileScreen() {
  return <WithDevices>{(devices, instead) => <TheftFile devices={devices} instead={instead} />}</WithDevices>
}

function TheftFile({ devices, instead }: { devices: readonly Device[]; instead: ReactNode }) {
  const { t } = useTranslation()
  const id = useSearchParams()[0].get('id')
  const device = devices.find((each) => each.id === parseId(id))
  const whose =
    device &&
    (hostApp.isNative() ? { lead: device.name } : { back: { to: `/trackers/${encodeURIComponent(device.id)}`, label: device.name } })
  return (
    <Page title={t('title.appTheftFile')} isNarrow {...whose}>
      {instead ?? (device ? <File key={device.id} device={device} /> : !id ? <TrackerChoice devices={devices} /> : <UnknownTracker />)}
    </Page>
  )
}

function UnknownTracker() {
  const { t } = useTranslation()
  return (
    <Notice role="alert" icon={<IconMapPinQuestion size={30} />} title={t('home.unknown')}>
      {t('home.unknownLead')}
    </Notice>
  )
}

function File({ device }: { device: Device }) {
  useLive()
  const has = useFeatures()
  return (
    <>
      {has('theftReports') && <ReportSection device={device} />}
      <AssistanceSection device={device} />
      <PositionSection device={device} />
      {has('modes') && <LostModeSection device={device} />}
      <InAppSection what="radar" />
      <InAppSection what="boost" />
    </>
  )
}

function TrackerChoice({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  if (devices.length === 0) return <Empty icon={<IconMapPinOff size={30} />} title={t('trackers.none')} />
  return (
    <nav className={classes.choose} aria-label={t('theft.choose')}>
      <p>{t('theft.choose')}</p>
      {devices.map((device) => (
        <Link key={device.id} to={`?id=${encodeURIComponent(device.id)}`}>
          <KindDisc of={device} size={32} />
          {device.name}
        </Link>
      ))}
    </nav>
  )
}

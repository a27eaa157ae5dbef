import { IconMapPinOff, IconMapPinQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { useFeatures } from '#web/lib/api/features.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Empty, Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import { AssistanceSection } from './assistance-section.tsx'
import { InAppSection } from './in-app-section.tsx'
import { LostModeSection } from './lost-mode.tsx'
import { PositionSection } from './position-section.tsx'
import { ReportSection } from './report-section.tsx'
import classes from './theft-file.module.css'

export default function TheftFileScreen() {
  const { t } = useTranslation()
  const id = Number(useSearchParams()[0].get('id') ?? 0)
  const { data: devices, isError, refetch } = useQuery(devicesQuery())
  const device = devices?.find((each) => each.id === id)
  const whose = device && (hostApp.isNative() ? { lead: device.name } : { back: { to: `/trackers/${id}`, label: device.name } })
  return (
    <Page title={t('title.appTheftFile')} isNarrow {...whose}>
      {isError && !devices && <Failure retry={() => void refetch()} />}
      {!devices && !isError && <SkeletonRows />}
      {devices && id === 0 && <TrackerChoice devices={devices} />}
      {devices && id !== 0 && !device && (
        <Notice role="alert" icon={<IconMapPinQuestion size={30} />} title={t('home.unknown')}>
          {t('home.unknownLead')}
        </Notice>
      )}
      {device && <File key={device.id} device={device} />}
    </Page>
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

function TrackerChoice({ devices }: { devices: Device[] }) {
  const { t } = useTranslation()
  if (devices.length === 0) return <Empty icon={<IconMapPinOff size={30} />} title={t('trackers.none')} />
  return (
    <nav className={classes.choose} aria-label={t('theft.choose')}>
      <p>{t('theft.choose')}</p>
      {devices.map(({ id, name, kind }) => (
        <Link key={id} to={`?id=${id}`}>
          <KindDisc kind={kind} size={32} />
          {name}
        </Link>
      ))}
    </nav>
  )
}

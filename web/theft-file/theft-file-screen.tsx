import { IconMapPinQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { Assistance } from './assistance.tsx'
import { Choose } from './choose.tsx'
import { Follow } from './follow.tsx'
import { InApp } from './in-app.tsx'
import { Locate } from './locate.tsx'
import { Lost } from './lost.tsx'

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
      {devices && id === 0 && <Choose devices={devices} />}
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
  return (
    <>
      <Follow device={device} />
      <Assistance device={device} />
      <Locate device={device} />
      <Lost device={device} />
      <InApp what="radar" />
      <InApp what="boost" />
    </>
  )
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useAddress } from '#web/lib/navigation/use-address.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { storage } from '#web/lib/storage.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import { deviceQuery } from '#web/trackers/trackers.queries.tsx'
import { SaveBar } from '#web/ui/form/save-bar.tsx'
import { Tabs } from '#web/ui/lists/tabs.tsx'
import { Page } from '#web/ui/page.tsx'
import { AdvancedPart, AlertsPart, TrackerPart } from './settings-parts.tsx'

export default function TrackerSettingsScreen() {
  const { id } = useParams()
  const device = useSuspenseQuery(deviceQuery(parseId(id))).data
  const [removed, setRemoved] = useState<string>()
  useLive()
  if (removed === id) return <Navigate to="/trackers" replace />
  return device ? <Settings key={device.id} device={device} onRemoved={() => setRemoved(id)} /> : <UnknownTracker />
}

const TABS = ['tracker', 'alerts', 'advanced'] as const
type TabName = (typeof TABS)[number]

function Settings({ device, onRemoved }: { device: Device; onRemoved: () => void }) {
  const { t } = useTranslation()
  useSuspenseQuery(sessionQuery())
  const mayChange = useHasRight('changeTrackers')
  const mayReadAlerts = useHasRight('readPlaces')
  const has = useFeatures()
  const { board_name } = device.tracker_config
  useEffect(() => storage.set('boardName', board_name), [board_name])
  const [address, change] = useAddress()
  const [unsaved, setUnsaved] = useState<Partial<Record<TabName, boolean>>>({})
  const report = useCallback((tab: TabName, isDirty: boolean) => setUnsaved((all) => ({ ...all, [tab]: isDirty })), [])
  const parts: Record<TabName, ReactNode> = {
    tracker: <TrackerPart device={device} onRemoved={onRemoved} />,
    alerts: (has('batteryAlert') || (has('alerts') && mayReadAlerts)) && <AlertsPart device={device} />,
    advanced: (has('networkNumbers') || (has('import') && mayChange)) && <AdvancedPart device={device} />,
  }
  const words = { tracker: t('title.tracker'), alerts: t('title.alerts'), advanced: t('settings.advanced') }
  const tabs = TABS.filter((tab) => parts[tab])
  const asked = pickListed(TABS, address.get('tab') ?? '', 'tracker')
  const value = tabs.includes(asked) ? asked : 'tracker'
  // What was opened once stays, with what was typed there.
  const [opened, setOpened] = useState<readonly TabName[]>([])
  if (!opened.includes(value)) setOpened([...opened, value])
  return (
    <Page isNarrow title={t('title.trackerSettings')} back={{ to: `/trackers/${encodeURIComponent(device.id)}`, label: device.name }}>
      <Tabs
        label={t('title.trackerSettings')}
        value={value}
        onChange={(tab) => change({ tab })}
        tabs={tabs.map((tab) => ({
          value: tab,
          label: words[tab],
          mark: unsaved[tab] && t('form.unsaved'),
          content: opened.includes(tab) && (
            <SavedTogether tab={tab} onUnsaved={report}>
              {parts[tab]}
            </SavedTogether>
          ),
        }))}
      />
    </Page>
  )
}

type SavedProps = { tab: TabName; onUnsaved: (tab: TabName, isDirty: boolean) => void; children: ReactNode }

function SavedTogether({ tab, onUnsaved, children }: SavedProps) {
  const [round, setRound] = useState(0)
  const report = useCallback((isDirty: boolean) => onUnsaved(tab, isDirty), [tab, onUnsaved])
  return (
    <SaveBar onDirty={report} onDiscard={() => setRound(round + 1)}>
      <Fragment key={round}>{children}</Fragment>
    </SaveBar>
  )
}

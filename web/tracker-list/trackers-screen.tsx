import { Button } from '@mantine/core'
import { IconMapPinSearch, IconShare2 } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { useSteadyNow } from '#web/lib/clock.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { ShareSeveralDialog } from '#web/links/several/load-share-several.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { AddButton, NoTracker } from '#web/trackers/parts/no-tracker.tsx'
import { useTrackerCommands } from '#web/trackers/parts/use-tracker-commands.tsx'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { isLong, LongRows } from '#web/ui/lists/long-rows.tsx'
import { Controls, type TrackerTable, useTrackerTable } from './controls.tsx'
import { TrackerLine } from './tracker-line.tsx'
import classes from './trackers.module.css'

/** Height of most rows in pixels; on a phone a row is a card. */
const ROW_HEIGHT = 61

export default function TrackersScreen() {
  return <WithDevices>{(devices, instead) => <Trackers devices={devices} instead={instead} />}</WithDevices>
}

function Trackers({ devices, instead }: { devices: readonly Device[]; instead: ReactNode }) {
  const { t } = useTranslation()
  const now = useSteadyNow()
  const list = useTrackerTable(devices)
  const groups = startGroups(list)
  useLive()
  useTrackerCommands(devices)
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <h1 className={classes.title}>
          {t('trackers.heading')} {!instead && <span>{devices.length}</span>}
        </h1>
        {devices.length > 0 && (
          <span className={classes.buttons}>
            <ShareButton devices={devices} shown={list.shown} />
            <AddButton />
          </span>
        )}
      </header>
      {devices.length > 0 && <Controls devices={devices} list={list} />}
      {instead ?? (devices.length === 0 && <NoTracker />)}
      {devices.length > 0 && list.shown.length === 0 && (
        <Empty icon={<IconMapPinSearch size={30} />} title={t('trackers.noMatch')}>
          {t('trackers.noMatchLead')}
        </Empty>
      )}
      {list.shown.length > 0 && (
        <table className={classes.table} {...(isLong(list.shown) && { 'aria-rowcount': list.shown.length + 1, 'data-long': true })}>
          <thead>
            <tr aria-rowindex={isLong(list.shown) ? 1 : undefined}>
              <th scope="col">{t('trackers.name')}</th>
              <th scope="col">{t('trackers.state')}</th>
              <th scope="col">{t('battery.label')}</th>
              <th scope="col">{t('tracker.event')}</th>
              <th scope="col">{t('tracker.subscription')}</th>
              <th scope="col">{t('tracker.tag')}</th>
            </tr>
          </thead>
          <tbody>
            <LongRows items={list.shown} as="tr" rowHeight={ROW_HEIGHT}>
              {(device, attributes) => (
                <>
                  {groups.get(device.id) && (
                    <tr className={classes.group}>
                      <th scope="rowgroup" colSpan={6}>
                        {groups.get(device.id)}
                      </th>
                    </tr>
                  )}
                  <tr {...attributes} className={classes.line}>
                    <TrackerLine device={device} now={now} owner={groups.size > 0 ? undefined : list.owners?.get(device.id)} />
                  </tr>
                </>
              )}
            </LongRows>
          </tbody>
        </table>
      )}
    </div>
  )
}

/** The owner, at the first tracker of each; empty when rows of a long table are not grouped. */
function startGroups({ shown, owners }: TrackerTable) {
  const starts = new Map<number, string>()
  if (!owners || isLong(shown)) return starts
  let last: string | undefined
  for (const { id } of shown) {
    const owner = owners.get(id)
    if (owner && owner !== last) starts.set(id, owner)
    last = owner
  }
  return starts
}

/** Shares several trackers with one link: those matching a search or a tag, or those chosen in the dialog. */
function ShareButton({ devices, shown }: { devices: readonly Device[]; shown: readonly Device[] }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const mayShare = useHasRight('changeTrackers')
  if (!useFeature('groupLinks') || !mayShare || devices.length < 2) return null
  return (
    <>
      <Button variant="default" h={44} leftSection={<IconShare2 size={18} />} onClick={() => setOpen(true)}>
        {t('tracker.share')}
      </Button>
      {isOpen && (
        <Suspense>
          <ShareSeveralDialog first={shown.length < devices.length ? shown.map(({ id }) => id) : []} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

import { type ReactNode, Suspense } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'

const FirstMinute = lazy(async () => (await Promise.all([import('./first-minute.tsx'), loadWords(['start', 'trackers'])]))[0])

type Props = { devices: readonly Device[]; instead: ReactNode; children: ReactNode }

/**
 * Shows the first steps in place of the map: at addresses with `?start=`, and to owners without trackers who have not put them off. Team
 * members only see assigned trackers, and cannot add any.
 */
export function FirstMinuteGate({ devices, instead, children }: Props) {
  const step = useSearchParams()[0].get('start')
  const { pathname } = useLocation()
  const isOwner = useHasRight('ownTrackers')
  const canAdd = useFeature('trackers')
  const isNew = devices.length === 0 && instead === null && tabStorage.get('startPutOff') === null && storage.get('demoTracker') === null
  if (!isOwner || !canAdd || pathname !== '/' || !(step !== null || isNew)) return children
  return (
    <Suspense>
      <FirstMinute devices={devices} step={step} />
    </Suspense>
  )
}

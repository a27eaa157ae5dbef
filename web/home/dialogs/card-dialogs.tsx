import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason, type DialogName } from '#web/trackers/block-reason.ts'

const withWords = async <T,>(dialog: Promise<T>) => (await Promise.all([dialog, loadWords(['trackers'])]))[0]

const dialogs = {
  share: lazy(() => withWords(import('./share-dialog.tsx'))),
  boost: lazy(() => withWords(import('./boost-dialog.tsx'))),
  lost: lazy(() => withWords(import('./lost-dialog.tsx'))),
  mode: lazy(() => withWords(import('./mode-dialog.tsx'))),
  phones: lazy(() => withWords(import('#web/phones/phones-dialog.tsx'))),
} satisfies Record<DialogName, unknown>

/** The feature of the backend that each dialog needs. */
export const DIALOG_FEATURES = {
  share: 'links',
  boost: 'boost',
  lost: 'modes',
  mode: 'modes',
  phones: 'deviceKeys',
} as const satisfies Record<DialogName, string>

type Props = {
  device: Device
  /** Name of the open dialog. */
  open: string | null
  onClose: () => void
}

/** The open dialog of a tracker. It does not belong to the card, so it stays open when a phone turns and the card moves. */
export function CardDialogs({ device, open, onClose }: Props) {
  const now = useNow()
  const role = useQuery(sessionQuery()).data?.role ?? 'user'
  const has = useFeatures()
  const names = Object.keys(dialogs) as DialogName[]
  const opened = names.find((name) => name === open && has(DIALOG_FEATURES[name]) && blockReason(name, device, role, now) === null)
  if (!opened) return null
  const Dialog = dialogs[opened]
  return (
    <Suspense>
      <Dialog device={device} onClose={onClose} />
    </Suspense>
  )
}

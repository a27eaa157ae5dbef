import { Suspense, useSyncExternalStore } from 'react'
import { lazy } from '#web/lib/chunk.ts'
import { update } from './update.ts'

const UpdateDialog = lazy(() => import('./update-dialog.tsx'))

export function UpdateNotice() {
  const isWaiting = useSyncExternalStore(update.subscribe, update.waiting) !== null
  return isWaiting ? (
    <Suspense>
      <UpdateDialog />
    </Suspense>
  ) : null
}

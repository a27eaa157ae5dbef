import { lazy, Suspense, useSyncExternalStore } from 'react'
import { update } from './update.ts'

const UpdateDialog = lazy(() => import('./update-dialog.tsx'))

/** Nothing, until another build of the portal is served. */
export function UpdateNotice() {
  const isWaiting = useSyncExternalStore(update.subscribe, update.waiting) !== null
  return isWaiting ? (
    <Suspense>
      <UpdateDialog />
    </Suspense>
  ) : null
}

import { type ReactNode, Suspense, useLayoutEffect } from 'react'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useOffline, waitInPlace } from '#web/lib/api/connection.ts'
import { clearFailures } from '#web/lib/api/retry.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Failure } from './failure.tsx'
import { SkeletonRows } from './skeleton.tsx'

type Props = {
  /** What reads the data, with `useSuspenseQuery`. */
  children: ReactNode
  skeleton?: ReactNode
  /** Title of the failure. */
  failure?: string
  /** Where the failure is shown; alone unless told. */
  frame?: (failure: ReactNode) => ReactNode
}

/** A part of a screen that loads and fails on its own while the rest of the screen stays, offline too. */
export const Part = ({ children, skeleton = <SkeletonRows />, failure, frame = (only) => only }: Props) => (
  <ErrorBoundary fallback={(error, retry) => frame(<PartFailure error={error} title={failure} retry={retry} />)} onRetry={clearFailures}>
    <Suspense fallback={<Waiting>{skeleton}</Waiting>}>{children}</Suspense>
  </ErrorBoundary>
)

/** A layout effect, because a request without a network fails before others run. */
function Waiting({ children }: { children: ReactNode }) {
  useLayoutEffect(waitInPlace, [])
  return children
}

type PartFailureProps = { error: unknown; title?: string | undefined; retry: () => void }

/** Tries again by itself once back online. Passes errors other than failed requests to the screen's boundary. */
export function PartFailure({ error, title, retry }: PartFailureProps) {
  useOffline(retry)
  if (!(error instanceof ApiError)) throw error
  return error.isLeaving ? null : <Failure {...(title && { title })} retry={retry} />
}

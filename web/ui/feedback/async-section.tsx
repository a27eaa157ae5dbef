import { type ReactNode, Suspense } from 'react'
import { ApiError } from '#web/lib/api/api-error.ts'
import { clearFailures } from '#web/lib/api/retry.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Failure } from './failure.tsx'
import { SkeletonRows } from './skeleton.tsx'

/** A part of a page that loads and fails on its own while the rest of the page stays. */
export const AsyncSection = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={(error, retry) => <NotRead error={error} retry={retry} />} onRetry={clearFailures}>
    <Suspense fallback={<SkeletonRows />}>{children}</Suspense>
  </ErrorBoundary>
)

/** Passes errors other than failed requests to the page's error boundary. */
function NotRead({ error, retry }: { error: unknown; retry: () => void }) {
  if (!(error instanceof ApiError)) throw error
  return error.isLeaving ? null : <Failure retry={retry} />
}

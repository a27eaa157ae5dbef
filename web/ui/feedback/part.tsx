import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useReducer } from 'react'
import { ApiError } from '#web/lib/api/api-error.ts'
import { clearFailures, useOffline } from '#web/lib/api/connection.ts'
import { holdScreen } from '#web/lib/navigation/shown-screen.ts'
import { ErrorBoundary, Failure } from './error-boundary.tsx'
import { SkeletonRows, SlowNote } from './skeleton.tsx'

type Props = {
  /** The component that reads the data, with `useSuspenseQuery`. */
  children: ReactNode
  skeleton?: ReactNode | undefined
  /** Title of the failure. */
  title?: string
  /** Wraps the failure; by default it is shown alone. */
  frame?: (failure: ReactNode, retry: () => void) => ReactNode
  /** Whether the screen is empty while it loads, so that offline it redirects to /error. */
  isScreen?: boolean
}

/** A part of a screen that loads and fails on its own while the rest of the screen stays, offline too. */
export function Part({ children, skeleton = <SkeletonRows />, title, frame = (only) => only, isScreen }: Props) {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const waiting = <Waiting onResponse={render}>{skeleton}</Waiting>
  return (
    <ErrorBoundary
      onRetry={clearFailures}
      fallback={(error, retry) =>
        error instanceof ApiError && error.isLeaving ? skeleton : frame(<PartFailure error={error} title={title} retry={retry} />, retry)
      }
    >
      <Suspense fallback={isScreen ? <WaitingScreen>{waiting}</WaitingScreen> : waiting}>{children}</Suspense>
    </ErrorBoundary>
  )
}

type WaitingProps = { onResponse: () => void; children: ReactNode }

/** React shows content that was awaited only 300 ms after the last skeleton, unless something else renders it. */
function Waiting({ onResponse, children }: WaitingProps) {
  const queries = useQueryClient()
  useEffect(
    () => queries.getQueryCache().subscribe((event) => event.type === 'updated' && event.action.type === 'success' && onResponse()),
    [queries, onResponse],
  )
  return children
}

function WaitingScreen({ children }: { children: ReactNode }) {
  useLayoutEffect(holdScreen, [])
  return (
    <>
      {children}
      <SlowNote />
    </>
  )
}

type PartFailureProps = { error: unknown; title: string | undefined; retry: () => void }

/** Retries by itself once back online. Passes errors other than failed requests to the screen's boundary. */
function PartFailure({ error, title, retry }: PartFailureProps) {
  useOffline(retry)
  if (!(error instanceof ApiError)) throw error
  return <Failure title={title} retry={retry} />
}

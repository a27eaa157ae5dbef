import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Device } from '#contracts/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { devicesQuery } from './trackers.queries.ts'

const NONE: readonly Device[] = []

/** All trackers, null while first loading. After a failure the list is empty and `instead` is the error to show. */
export function useDevices(): { devices: readonly Device[] | null; instead: ReactNode } {
  const { data, error, errorUpdateCount, refetch } = useQuery({ ...devicesQuery(), meta: { isWholeScreen: true } })
  if (data) return { devices: data, instead: null }
  if (errorUpdateCount === 0 || (error instanceof ApiError && error.isLeaving)) return { devices: null, instead: null }
  return { devices: NONE, instead: error ? <Failure retry={() => void refetch()} /> : <SkeletonRows count={4} /> }
}

import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Device } from '#contracts/trackers/devices.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { devicesQuery, showLastTrackers } from './trackers.queries.ts'

const NONE: readonly Device[] = []

type Screen = (devices: readonly Device[], instead: ReactNode) => ReactNode

/** A screen with all trackers. After a failure its list is empty and `instead` is the error to show, so that heading and map stay. */
export function WithDevices({ skeleton, children }: { skeleton?: ReactNode; children: Screen }) {
  const queries = useQueryClient()
  // Before the first read, which then suspends only where nothing was saved. Saved trackers are always out of date.
  useState(() =>
    showLastTrackers((saved) => {
      queries.setQueryData(devicesQuery().queryKey, (known) => known ?? saved, { updatedAt: 0 })
    }),
  )
  return (
    <Part isScreen skeleton={skeleton} frame={(failure, retry) => <Failed retry={retry}>{children(NONE, failure)}</Failed>}>
      <Loaded>{children}</Loaded>
    </Part>
  )
}

const Loaded = ({ children }: { children: Screen }) => children(useSuspenseQuery(devicesQuery()).data, null)

/** Screens poll for the trackers even after a failure, and show them as soon as they are there. */
function Failed({ retry, children }: { retry: () => void; children: ReactNode }) {
  const isBack = useQuery({ ...devicesQuery(), retryOnMount: false }).data !== undefined
  useEffect(() => {
    if (isBack) retry()
  }, [isBack, retry])
  return children
}

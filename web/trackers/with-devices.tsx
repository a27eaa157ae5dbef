import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Device } from '#contracts/devices.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { devicesQuery } from './trackers.queries.ts'

const NONE: readonly Device[] = []

type Screen = (devices: readonly Device[], instead: ReactNode) => ReactNode

/** A screen with all trackers. After a failure its list is empty and `instead` is the error to show, so that heading and map stay. */
export const WithDevices = ({ skeleton, children }: { skeleton?: ReactNode; children: Screen }) => (
  <Part isScreen skeleton={skeleton} frame={(failure, retry) => <Failed retry={retry}>{children(NONE, failure)}</Failed>}>
    <Loaded>{children}</Loaded>
  </Part>
)

const Loaded = ({ children }: { children: Screen }) => children(useSuspenseQuery(devicesQuery()).data, null)

/** Screens poll for the trackers even after a failure, and show them as soon as they are there. */
function Failed({ retry, children }: { retry: () => void; children: ReactNode }) {
  const isBack = useQuery({ ...devicesQuery(), retryOnMount: false }).data !== undefined
  useEffect(() => {
    if (isBack) retry()
  }, [isBack, retry])
  return children
}

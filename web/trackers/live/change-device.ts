import type { QueryClient } from '@tanstack/react-query'
import type { Device } from '#contracts/devices.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'

/** Merges `part` into one tracker of the cached list. */
export const updateCachedDevice = (queries: QueryClient, id: number, part: Partial<Device>) =>
  queries.setQueryData(devicesQuery().queryKey, (devices) => devices?.map((device) => (device.id === id ? { ...device, ...part } : device)))

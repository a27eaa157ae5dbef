import type { Device } from '#contracts/devices.ts'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/lib/constants.ts'
import { deviceComparators } from '#contracts/rules/tracking/sorting.ts'
import { storage } from '#web/lib/storage.ts'

/** The saved sort; null when there is none or it is unknown. */
export const savedSort = (): DeviceSort | null => DEVICE_SORTS.find((sort) => sort === storage.get('trackersSort')) ?? null

export const saveSort = (sort: DeviceSort | null) => (sort ? storage.set('trackersSort', sort) : storage.remove('trackersSort'))

/** Sorts the trackers; without a sort the server's order stays. */
export const sortDevices = (devices: readonly Device[], sort: DeviceSort | null, language: string): readonly Device[] =>
  sort ? devices.toSorted(deviceComparators(language)[sort]) : devices

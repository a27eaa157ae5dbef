import type { Device } from '#contracts/devices.ts'
import { DEVICE_SORTS, type DeviceSort } from '#contracts/lib/constants.ts'
import { deviceSorts } from '#contracts/rules/device-sorts.ts'
import { storage } from '#web/lib/storage.ts'

/** The sort a person chose once; null when none is, or none of ours. */
export const rememberedSort = (): DeviceSort | null => DEVICE_SORTS.find((sort) => sort === storage.get('trackersSort')) ?? null

export const rememberSort = (sort: DeviceSort | null) => (sort ? storage.set('trackersSort', sort) : storage.remove('trackersSort'))

/** The chosen order; without one that of the server stays (C-06). */
export const inOrder = (devices: readonly Device[], sort: DeviceSort | null, language: string): readonly Device[] =>
  sort ? devices.toSorted(deviceSorts(language)[sort]) : devices

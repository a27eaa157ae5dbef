import { DEVICE_SORTS, type DeviceSort } from '#contracts/lib/constants.ts'
import { deviceComparators } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { storage } from '#web/lib/storage.ts'

/** The saved sort; null when there is none or it is unknown. */
export const savedSort = (): DeviceSort | null => DEVICE_SORTS.find((sort) => sort === storage.get('trackersSort')) ?? null

export const saveSort = (sort: DeviceSort | null) => (sort ? storage.set('trackersSort', sort) : storage.remove('trackersSort'))

/**
 * Creates a function that sorts the trackers; without a sort the server's order stays. It starts from its last result, so that after a
 * change of a few trackers one pass over the others is enough.
 */
export function createSorter() {
  let last: readonly Device[] = []
  return (devices: readonly Device[], sort: DeviceSort | null, language: string): readonly Device[] => {
    if (!sort) return devices
    const rest = new Map(devices.map((device) => [device.id, device]))
    const sorted: Device[] = []
    for (const { id } of last) {
      const device = rest.get(id)
      if (device && rest.delete(id)) sorted.push(device)
    }
    sorted.push(...rest.values())
    last = sorted.sort(deviceComparators(language)[sort])
    return last
  }
}

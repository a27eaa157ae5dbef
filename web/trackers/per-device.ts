import type { Device } from '#contracts/trackers/devices.ts'

/**
 * Caches a result per tracker and time. A live event replaces only the object of its tracker, so in a large fleet only that one is computed
 * again.
 */
export function cachePerDevice<T>(compute: (device: Device, now: Date) => T) {
  const known = new WeakMap<Device, { at: number; value: T }>()
  return (device: Device, now: Date): T => {
    const at = now.getTime()
    const hit = known.get(device)
    if (hit?.at === at) return hit.value
    const value = compute(device, now)
    known.set(device, { at, value })
    return value
  }
}

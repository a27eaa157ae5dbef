import { DAY_MS, millis } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { cachePerDevice, lastContact, stateGroup, trackerState } from '#web/trackers/state.ts'

/** Whether the tracker was heard within a day: owners expect to find such trackers on the map. */
export const isHeardLately = (device: Device, now: Date) => {
  const heard = lastContact(device)
  return heard !== null && now.getTime() - millis(heard) <= DAY_MS
}

/** Lost trackers, moving ones, recently heard ones, the rest, and finally unused ones. */
const mapRank = cachePerDevice((device, now) => {
  const group = stateGroup(device, now)
  if (group === 'lost') return 0
  if (group === 'unused') return 4
  if (trackerState(device, now) === 'moving') return 1
  return isHeardLately(device, now) ? 2 : 3
})

/** Up to this many fit on a screen and are not collapsed. */
const FEW = 6

/** The trackers in the order of the map, ties in their original order; unused ones in a separate group when the list is long. */
export function orderForMap(devices: readonly Device[], now: Date) {
  const ranks: Device[][] = [[], [], [], [], []]
  for (const device of devices) ranks[mapRank(device, now)]?.push(device)
  const [unused = []] = ranks.slice(4)
  const used = ranks.slice(0, 4).flat()
  return devices.length <= FEW || used.length === 0 ? { used: [...used, ...unused], unused: [] } : { used, unused }
}

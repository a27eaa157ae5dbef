import type { Device } from '#contracts/trackers/devices.ts'

/** Requests at a time, so that a change of hundreds leaves the connection free for others. */
const AT_ONCE = 4

/** Does something with each of several trackers; returns those with which it failed. */
export async function changeSeveral<T extends { device: Device }>(
  items: readonly T[],
  change: (item: T) => Promise<unknown>,
  atOnce = AT_ONCE,
) {
  const failed: Device[] = []
  const waiting = [...items]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { device } = next
      await change(next).catch(() => failed.push(device))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failed
}

const MAX_NAMED = 8

/** The names of trackers; of many only the first, and the number of the others. */
export function namesOf(devices: readonly Device[], formatNumber: (number: number) => string) {
  const rest = devices.length - MAX_NAMED
  const names = devices.slice(0, MAX_NAMED).map(({ name }) => name)
  return [...names, ...(rest > 0 ? [`+${formatNumber(rest)}`] : [])].join(', ')
}

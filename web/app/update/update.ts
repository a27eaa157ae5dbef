import { MINUTE_MS } from '#contracts/rules/time.ts'
import { clock } from '#web/lib/clock.ts'
import { config, loadConfig } from '#web/lib/config.ts'
import { storage } from '#web/lib/storage.ts'

let checkedAt: number | undefined
let waitingBuild: string | null = null
const listeners = new Set<() => void>()

const setWaitingBuild = (build: string | null) => {
  waitingBuild = build
  for (const listener of listeners) listener()
}

/** Checks whether a newer build is served, at most every 5 minutes; `now` forces the check, for when a chunk is missing. */
export async function checkBuild(fetch: typeof globalThis.fetch, now = false) {
  const at = clock.now().getTime()
  checkedAt ??= at
  if (!now && at - checkedAt < 5 * MINUTE_MS) return
  checkedAt = at
  const served = await loadConfig(fetch, 'reload').catch(() => null)
  const isNew = served !== null && served.build !== '' && served.build !== config().build
  if (isNew && served.build !== storage.get('hiddenBuild')) setWaitingBuild(served.build)
}

export const update = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  waiting: () => waitingBuild,
  later: () => {
    if (waitingBuild) storage.set('hiddenBuild', waitingBuild)
    setWaitingBuild(null)
  },
}

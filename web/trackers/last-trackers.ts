import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { Device } from '#contracts/trackers/devices.ts'
import { clock } from '#web/lib/clock.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { storage, tryOrNull } from '#web/lib/storage.ts'

/**
 * The trackers of the last visit, saved on this device, so that a slow line shows them at once. They are marked with their time until the
 * server has responded, belong to one session and are erased at sign-out.
 */
const LastTrackers = z.object({ session: z.string(), at: z.number(), trackers: z.array(Device) })

/** Local storage holds about 5 MB for everything. */
const MAX_TRACKERS = 500

/** Enough to tell sessions apart; a copy of the whole token would be a second secret. */
const identifySession = () => storage.get('token')?.slice(0, 8) ?? ''

let shownAt: number | null = null
let isFresh = false
const listeners = new Set<() => void>()

function setShownAt(at: number | null) {
  if (at === shownAt) return
  shownAt = at
  // Styles stop whatever pretends to be live.
  document.documentElement.toggleAttribute('data-last-known', at !== null)
  for (const listener of listeners) listener()
}

onSessionEnd(() => {
  storage.remove('lastTrackers')
  isFresh = false
  setShownAt(null)
})

/** Saves the trackers that the server has just sent. */
export function saveTrackers(trackers: readonly Device[]) {
  isFresh = true
  setShownAt(null)
  if (trackers.length > MAX_TRACKERS) return storage.remove('lastTrackers')
  const session = identifySession()
  if (session) storage.set('lastTrackers', JSON.stringify({ session, at: clock.now().getTime(), trackers }))
}

/** Passes on the saved trackers, unless the server has responded before or the browser is offline, which has its own page. */
export function showLastTrackers(show: (trackers: Device[]) => void) {
  if (isFresh || !navigator.onLine) return
  const saved = LastTrackers.safeParse(tryOrNull(() => JSON.parse(storage.get('lastTrackers') ?? 'null')))
  if (!saved.success || saved.data.session !== identifySession()) return
  show(saved.data.trackers)
  setShownAt(saved.data.at)
}

export const isLastKnown = () => shownAt !== null

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the time of the saved trackers while they are shown; null once the server has responded. */
export const useLastKnown = () => useSyncExternalStore(subscribe, () => shownAt)

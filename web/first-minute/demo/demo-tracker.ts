import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { bearingDegrees, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { clock, useNow } from '#web/lib/clock.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { storage, tryOrNull } from '#web/lib/storage.ts'

/**
 * A dog that exists in this browser only, so that no server counts, bills or reports it. It walks by the portal's clock around a place, for
 * a day.
 */
const Demo = z.object({ since: z.number(), lat: z.number(), lng: z.number() })
export type Demo = z.infer<typeof Demo>

const DAY_MS = 86_400_000

export const demoEnd = ({ since }: Demo) => new Date(since + DAY_MS)

/** The walk crosses a town's blocks in two loops of different lengths, at about the pace of a dog. */
const LOOPS = { northMs: 17 * 60_000, eastMs: 25 * 60_000, degrees: 0.0022 }

/** Where the dog is at an instant. */
export function demoPosition({ since, lat, lng }: Demo, at: number): LatLng {
  const angle = (ms: number) => (2 * Math.PI * (at - since)) / ms
  return {
    lat: lat + LOOPS.degrees * Math.sin(angle(LOOPS.northMs)),
    lng: lng + (LOOPS.degrees * Math.sin(angle(LOOPS.eastMs))) / Math.cos((lat * Math.PI) / 180),
  }
}

const STEP_MS = 10_000

/** Degrees clockwise from north. */
export const demoHeading = (demo: Demo, at: number) => bearingDegrees(demoPosition(demo, at - STEP_MS), demoPosition(demo, at))

/** The way of the last minutes, oldest first. */
export const demoTrail = (demo: Demo, at: number, ms = 10 * 60_000): LatLng[] =>
  Array.from({ length: ms / STEP_MS + 1 }, (_, step) => demoPosition(demo, Math.max(demo.since, at - ms + step * STEP_MS)))

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}
onSessionEnd(notify)

export function startDemo({ lat, lng }: LatLng) {
  storage.set('demoTracker', JSON.stringify({ since: clock.now().getTime(), lat, lng } satisfies Demo))
  notify()
}

export function removeDemo() {
  storage.remove('demoTracker')
  notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The demo dog and the time, updated every two seconds; null without one, and once its day is over. */
export function useDemo(): { demo: Demo; now: number } | null {
  const saved = useSyncExternalStore(subscribe, () => storage.get('demoTracker'))
  const now = useNow(2000).getTime()
  const { data: demo } = Demo.safeParse(tryOrNull(() => JSON.parse(saved ?? 'null')))
  return demo && now < demo.since + DAY_MS ? { demo, now } : null
}

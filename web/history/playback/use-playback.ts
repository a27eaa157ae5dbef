import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createPlayback, type Playback } from '#web/history/track/playback.ts'
import { clampTime, type Track, trackSpan } from '#web/history/track/track.ts'
import { atClock, midnight, type Period } from '#web/lib/period.ts'

/** `clock` is in minutes after the midnight with which the period begins. */
type Start = { isToday: boolean; clock: number | null }

/** Creates a playback per period. It starts at a given time; otherwise today at its end (now), another day at its first trip. */
export function usePlayback(track: Track | null, { from, to }: Period, { isToday, clock }: Start): Playback | null {
  const hasTrack = track !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a day that grows is still the same replay
  const playback = useMemo(
    () => track && createPlayback(clock === null ? startTime(track, isToday) : clampTime(track, atClock(midnight(from), clock))),
    [from, to, clock, hasTrack],
  )
  useEffect(() => playback?.stop, [playback])
  return playback
}

const startTime = (track: Track, isToday: boolean) => {
  const span = trackSpan(track)
  return (isToday ? span?.last : (firstTrip(track)?.start ?? span?.first)) ?? 0
}

/** The first trip; a replay starts there rather than with the night at home. */
export const firstTrip = ({ legs }: Track) => legs.find(({ kind }) => kind === 'trip')

export const playFrom = (track: Track, playback: Playback) => {
  const span = trackSpan(track)
  if (span) playback.play({ ...span, first: firstTrip(track)?.start ?? span.first })
}

/** The replay's current time; re-renders on every frame. */
export const useTime = ({ subscribe, state }: Playback) => useSyncExternalStore(subscribe, () => state().time)

export const useIsPlaying = ({ subscribe, state }: Playback) => useSyncExternalStore(subscribe, () => state().isPlaying)

export const useRate = ({ subscribe, state }: Playback) => useSyncExternalStore(subscribe, () => state().rate)

/** A value derived from the replay's time; re-renders only when the value changes. */
export const useAtTime = <T extends string | number>({ subscribe, state }: Playback, read: (time: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(state().time))

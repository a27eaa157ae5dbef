import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Period } from '#web/history/track/period.ts'
import { createPlayback, type Playback } from '#web/history/track/playback.ts'
import { spanOf, type Track } from '#web/history/track/track.ts'

/** A playback per period: today is shown as it is now, another day from where it first went. */
export function usePlayback(track: Track | null, { from, to }: Period, isToday: boolean): Playback | null {
  const hasTrack = track !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a day that grows is still the same replay
  const playback = useMemo(() => track && createPlayback(beginOf(track, isToday)), [from, to, hasTrack])
  useEffect(() => playback?.stop, [playback])
  return playback
}

const beginOf = (track: Track, isToday: boolean) => {
  const span = spanOf(track)
  return (isToday ? span?.last : (firstTrip(track)?.start ?? span?.first)) ?? 0
}

/** A night at home is no beginning of a replay: the first trip is. */
export const firstTrip = ({ legs }: Track) => legs.find(({ kind }) => kind === 'trip')

/** Plays the period from its first trip. */
export const playFrom = (track: Track, playback: Playback) => {
  const span = spanOf(track)
  if (span) playback.play({ ...span, first: firstTrip(track)?.start ?? span.first })
}

/** The time shown; every picture of a replay is another one. */
export const useTime = ({ subscribe, state }: Playback) => useSyncExternalStore(subscribe, () => state().time)

export const useIsPlaying = ({ subscribe, state }: Playback) => useSyncExternalStore(subscribe, () => state().isPlaying)

export const useRate = ({ subscribe, state }: Playback) => useSyncExternalStore(subscribe, () => state().rate)

/** Something found out from the time, told only when it changes. */
export const useAtTime = <T extends string | number>({ subscribe, state }: Playback, read: (time: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(state().time))

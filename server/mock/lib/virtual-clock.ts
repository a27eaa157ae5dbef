import type { Clock } from '#server/ports/clock.ts'

export type ClockMode = 'frozen' | 'flow'

export type ClockChange = { at?: Date | undefined; mode?: ClockMode | undefined; rate?: number | undefined }

export type VirtualClock = Clock & {
  state(): { now: Date; mode: ClockMode; rate: number }
  /** Sets the time, freezes the clock or lets it flow; omitted fields are unchanged. */
  set(change: ClockChange): void
}

/** Creates a clock that is frozen or flows at `rate` times the speed of `wall`. */
export function createVirtualClock(wall: Clock, start: { at: Date; mode: ClockMode; rate?: number }): VirtualClock {
  let { at, mode, rate = 1 } = start
  let since = wall.now()
  const now = () => (mode === 'frozen' ? at : new Date(at.getTime() + (wall.now().getTime() - since.getTime()) * rate))
  return {
    now,
    state: () => ({ now: now(), mode, rate }),
    set(change) {
      at = change.at ?? now()
      since = wall.now()
      mode = change.mode ?? mode
      rate = change.rate ?? rate
    },
  }
}

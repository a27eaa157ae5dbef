/** Minutes of the day played per second. */
export const RATES = [1, 10, 60] as const
type Rate = (typeof RATES)[number]

type State = { time: number; isPlaying: boolean; rate: Rate }
type Span = { first: number; last: number }
/** Schedules the next frame; returns a function that cancels it. */
type NextFrame = (draw: (ms: number) => void) => () => void

const MINUTE_MS = 60_000
/** Interval between frames for users who prefer reduced motion. */
const REDUCED_MOTION_FRAME_MS = 1000

const browserFrame: NextFrame = (draw) => {
  const frame = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(frame)
}
const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The time shared by map, slider and charts. It lives outside React, so that a frame re-renders only what shows the time. */
export function createPlayback(time: number, nextFrame: NextFrame = browserFrame) {
  let state: State = { time, isPlaying: false, rate: 10 }
  let halt = () => {}
  const listeners = new Set<() => void>()
  const set = (change: Partial<State>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const stop = () => {
    halt()
    if (state.isPlaying) set({ isPlaying: false })
  }
  const run = (last: number) => {
    let before: number | null = null
    const step = (ms: number) => {
      const passed = before === null ? 0 : ms - before
      if (before === null || !prefersReducedMotion() || passed >= REDUCED_MOTION_FRAME_MS) {
        before = ms
        set({ time: Math.min(last, state.time + passed * state.rate * MINUTE_MS * 1e-3) })
      }
      if (state.time >= last) stop()
      else halt = nextFrame(step)
    }
    set({ isPlaying: true })
    halt = nextFrame(step)
  }
  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Jumps to another time and pauses. */
    seek: (to: number) => {
      stop()
      set({ time: to })
    },
    /** Plays to the end; starts over when already at the end or before the beginning. */
    play: ({ first, last }: Span) => {
      if (state.isPlaying) return
      if (state.time >= last || state.time < first) set({ time: first })
      run(last)
    },
    stop,
    setRate: (rate: Rate) => set({ rate }),
  }
}

export type Playback = ReturnType<typeof createPlayback>

/** Minutes of the day that pass in a second. */
export const RATES = [1, 10, 60] as const
export type Rate = (typeof RATES)[number]

type State = { time: number; isPlaying: boolean; rate: Rate }
type Span = { first: number; last: number }
/** Asks for the next picture; answers how not to. */
type NextFrame = (draw: (ms: number) => void) => () => void

const MINUTE_MS = 60_000
/** Whoever asked for less motion sees one picture a second. */
const CALM_MS = 1000

const browserFrame: NextFrame = (draw) => {
  const frame = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(frame)
}
const isCalm = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The time that map, slider and charts show together. It lives outside React, so that a picture redraws only what shows the time. */
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
      if (before === null || !isCalm() || passed >= CALM_MS) {
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
    /** Shows another time; playing ends. */
    seek: (to: number) => {
      stop()
      set({ time: to })
    },
    /** Plays up to the end; from the beginning when it is there already, or not yet there. */
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

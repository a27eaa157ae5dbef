import { EventEmitter, once } from 'node:events'
import type { EventType } from '#contracts/mock/events.ts'

export type Told = { id: number; type: EventType; data: object }

/** What happens in a world, told to whoever watches it. */
export type Events = {
  tell(type: EventType, data: object): void
  /** Whether anybody would hear what is told now. */
  isHeard(): boolean
  /** Hears what is told from now on, until the function it returns is called; `end` is called when the world ends. */
  listen(hear: (told: Told) => void, end: () => void): () => void
  /** Until the next thing is told, the world ends or `over`. */
  next(over: AbortSignal): Promise<void>
  close(): void
}

export function createEvents(): Events {
  const emitter = new EventEmitter().setMaxListeners(0)
  let id = 0
  return {
    tell: (type, data) => void emitter.emit('told', { id: ++id, type, data }),
    isHeard: () => emitter.listenerCount('told') > 0,
    listen(hear, end) {
      emitter.on('told', hear).on('end', end)
      return () => void emitter.off('told', hear).off('end', end)
    },
    async next(over) {
      const done = new AbortController()
      const signal = AbortSignal.any([over, done.signal])
      await Promise.race(['told', 'end'].map((name) => once(emitter, name, { signal }))).catch(() => undefined)
      done.abort()
    },
    close: () => void emitter.emit('end'),
  }
}

/** What `look` finds, now or once more is told; undefined when that takes longer than `ms`. */
export async function awaited<T>(events: Events, ms: number, look: () => Promise<T | undefined> | T | undefined): Promise<T | undefined> {
  const over = AbortSignal.timeout(ms)
  for (;;) {
    const told = events.next(over)
    const found = await look()
    if (found !== undefined || over.aborted) return found
    await told
  }
}

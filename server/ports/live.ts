import { EventEmitter } from 'node:events'

export type LiveEvent = { id: number; accountId: number; deviceId: number; type: string; data: string }

/** Fans what happened to trackers out to the open streams of one world. */
export type Live = {
  /** Call after the transaction that caused it is kept. */
  publish(event: LiveEvent): void
  /** Hears what is published from now on, until the function it returns is called; `end` is called when the world ends. */
  listen(hear: (event: LiveEvent) => void, end?: () => void): () => void
  /** Ends every open stream: their clients come back to the world that follows. */
  close(): void
}

export function createLive(): Live {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (event) => void emitter.emit('event', event),
    listen(hear, end = () => {}) {
      emitter.on('event', hear).on('end', end)
      return () => void emitter.off('event', hear).off('end', end)
    },
    close: () => void emitter.emit('end'),
  }
}

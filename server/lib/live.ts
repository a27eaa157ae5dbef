import { EventEmitter } from 'node:events'

export type LiveEvent = { id: number; accountId: number; deviceId: number; type: string; data: string }

/** Fans what happened to trackers out to the open streams of one world. */
export type Live = {
  /** Call after the transaction that caused it is kept. */
  publish(event: LiveEvent): void
  /** Hears what is published from now on, until the function it returns is called. */
  listen(hear: (event: LiveEvent) => void): () => void
}

export function createLive(): Live {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (event) => void emitter.emit('event', event),
    listen(hear) {
      emitter.on('event', hear)
      return () => void emitter.off('event', hear)
    },
  }
}

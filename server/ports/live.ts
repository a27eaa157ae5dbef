import { EventEmitter } from 'node:events'

export type LiveEvent = { id: number; accountId: number; deviceId: number; type: string; data: string }

/** Publishes events about trackers to the open streams of one world. */
export type Live = {
  /** Call after the transaction has been committed. */
  publish(event: LiveEvent): void
  /** Subscribes to later events and returns the unsubscribe function; `end` is called when the world ends. */
  subscribe(hear: (event: LiveEvent) => void, end?: () => void): () => void
  /** Ends every open stream; its client reconnects to the next world. */
  close(): void
}

export function createLive(): Live {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (event) => void emitter.emit('event', event),
    subscribe(hear, end = () => {}) {
      emitter.on('event', hear).on('end', end)
      return () => void emitter.off('event', hear).off('end', end)
    },
    close: () => void emitter.emit('end'),
  }
}

import { EventEmitter } from 'node:events'

export type LiveEvent = { id: number; accountId: number; deviceId: number; type: string; data: string }

/** Publishes events about trackers to the open streams of one world. */
export type Live = {
  /** Call after the transaction has been committed. */
  publish(event: LiveEvent): void
  /** Subscribes to later events and returns the unsubscribe function; `end` is called when the world or the session ends. */
  subscribe(hear: (event: LiveEvent) => void, end?: () => void, session?: string): () => void
  /** Ends the open streams of sessions, which are named by their hash; call after the transaction has been committed. */
  endSessions(hashes: readonly string[]): void
  /** The open streams of a session. */
  countStreams(session: string): number
  /** Ends every open stream; its client reconnects to the next world. */
  close(): void
}

const sessionEnd = (hash: string) => `end ${hash}`

export function createLive(): Live {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (event) => void emitter.emit('event', event),
    subscribe(hear, end = () => {}, session = '') {
      const ending = sessionEnd(session)
      emitter.on('event', hear).on('end', end).on(ending, end)
      return () => void emitter.off('event', hear).off('end', end).off(ending, end)
    },
    endSessions(hashes) {
      for (const hash of hashes) emitter.emit(sessionEnd(hash))
    },
    countStreams: (session) => emitter.listenerCount(sessionEnd(session)),
    close: () => void emitter.emit('end'),
  }
}

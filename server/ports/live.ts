import { EventEmitter } from 'node:events'
import type { LoggedEvent } from '#db/db.ts'

export type LiveEvent = LoggedEvent

/** Publishes events about trackers to the open streams of one world. */
export type Live = {
  /** Call after the transaction has been committed. */
  publish(event: LiveEvent): void
  /**
   * Subscribes to later events of an account, or of all accounts when null, whichever server publishes them. Returns the unsubscribe
   * function; `end` is called when the world or the session ends.
   */
  subscribe(hear: (event: LiveEvent) => void, end?: () => void, session?: string, accountId?: number | null): () => void
  /** Resolves when no later event of the subscribed account, or of all accounts when null, can be missed. */
  follow(accountId: number | null): Promise<void>
  /** Subscribes to events published by this very server, so that work caused by an event is done once. */
  subscribeToOwn(hear: (event: LiveEvent) => void): () => void
  /** Ends the open streams of sessions, which are identified by their hash; call after the transaction has been committed. */
  endSessions(hashes: readonly string[]): void
  /** The open streams of a session. */
  countStreams(session: string): number
  /** The open streams of an account at this server, over all sessions; when null, those that see all accounts. */
  countStreamsOf(accountId: number | null): number
  /** Ends every open stream; its client reconnects to the next world. */
  close(): void
}

const sessionEnd = (hash: string) => `end ${hash}`
const ofAccount = (id: number | null) => `account ${id}`

/** Streams of a world that is served by a single server. */
export function createLive(): Live {
  const emitter = new EventEmitter().setMaxListeners(0)
  const subscribe: Live['subscribe'] = (hear, end = () => {}, session = '', accountId = null) => {
    const [ending, counted] = [sessionEnd(session), ofAccount(accountId)]
    emitter.on('event', hear).on('end', end).on(ending, end).on(counted, end)
    return () => void emitter.off('event', hear).off('end', end).off(ending, end).off(counted, end)
  }
  return {
    publish: (event) => void emitter.emit('event', event),
    subscribe,
    follow: async () => {},
    subscribeToOwn: (hear) => subscribe(hear),
    endSessions(hashes) {
      for (const hash of hashes) emitter.emit(sessionEnd(hash))
    },
    countStreams: (session) => emitter.listenerCount(sessionEnd(session)),
    countStreamsOf: (accountId) => emitter.listenerCount(ofAccount(accountId)),
    close: () => void emitter.emit('end'),
  }
}

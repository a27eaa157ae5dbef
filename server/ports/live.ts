import { EventEmitter } from 'node:events'
import { onCommit } from '#db/commit-hooks.ts'
import type { Db, LiveEvent, Tx } from '#db/db.ts'

/** The open streams of one world, which get the events about its trackers. */
export type Live = {
  /**
   * Subscribes to later events of an account, or of all accounts when null, whichever server publishes them. Returns the unsubscribe
   * function; `end` is called when the world or the session ends.
   */
  subscribe(hear: (event: LiveEvent) => void, end?: () => void, session?: string, accountId?: number | null): () => void
  /** Resolves when no later event of the subscribed account, or of all accounts when null, can be missed. */
  follow(accountId: number | null): Promise<void>
  /** Ends the open streams of sessions, which are identified by the hash of their token, once the transaction has committed. */
  endSessions(tx: Tx, sessions: readonly { hash: string }[]): void
  /** The open streams of a session. */
  countStreams(session: string): number
  /** The open streams of an account at this server, over all sessions; when null, those that see all accounts. */
  countStreamsOf(accountId: number | null): number
  /** Ends every open stream; its client reconnects to the next world. */
  close(): void
}

const sessionEnd = (hash: string) => `end ${hash}`
const ofAccount = (id: number | null) => `account ${id}`

/** Streams without the source of their events. `endNow` ends those of the sessions with these hashes. */
type Streams = Omit<Live, 'follow' | 'endSessions'> & { publish(event: LiveEvent): void; endNow(hashes: readonly string[]): void }

/** Calls only the listeners of the event's account and those of all accounts. */
export function createStreams(): Streams {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish(event) {
      emitter.emit(ofAccount(event.accountId), event)
      emitter.emit(ofAccount(null), event)
    },
    subscribe(hear, end = () => {}, session = '', accountId = null) {
      const [heard, ending] = [ofAccount(accountId), sessionEnd(session)]
      emitter.on(heard, hear).on('end', end).on(ending, end)
      return () => void emitter.off(heard, hear).off('end', end).off(ending, end)
    },
    endNow(hashes) {
      for (const hash of hashes) emitter.emit(sessionEnd(hash))
    },
    countStreams: (session) => emitter.listenerCount(sessionEnd(session)),
    countStreamsOf: (accountId) => emitter.listenerCount(ofAccount(accountId)),
    close: () => void emitter.emit('end'),
  }
}

/** Streams of a world that is served by a single server. */
export function createLive({ onEvent }: Pick<Db, 'onEvent'>): Live {
  const streams = createStreams()
  onEvent(streams.publish)
  return {
    ...streams,
    follow: async () => {},
    endSessions: (tx, sessions) => onCommit(tx, () => streams.endNow(sessions.map(({ hash }) => hash))),
  }
}

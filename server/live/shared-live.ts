import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { onCommit } from '#db/commit-hooks.ts'
import type { Db, SharedLog } from '#db/db.ts'
import { findRemovalLag } from '#server/clock/clock-marks.store.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import { createStreams, type Live } from '#server/ports/live.ts'
import type { Log, World } from '#server/ports/world.ts'

/** A server announces its commits at most this often, since each notice takes a lock of the whole database. */
const ANNOUNCE_MS = 20
/** A server looks even without a notice: the announcing one may have died after its commit. */
const LOOK_MS = 500
/** Events that one query reads. */
const BATCH = 5000
/** A notice has less than 8,000 bytes. */
const MAX_ACCOUNTS = 200
const MAX_SESSIONS = 100

type Notice = { events?: [accountId: number, first: number][]; sessions?: string[] }
/** An account with open streams at this server. `after` is the newest event they have received, null while it is first read. */
type Followed = { after: number | null; streams: number; ready: Promise<void> }
/** All accounts, starting after the newest event. */
type All = { newest: number | null; ready: Promise<void> }

/**
 * Streams of a world that several servers serve. Each event is read from the log after its commit, even by the server that committed it.
 * Ids of an account are in the order of their commits, so its streams receive each event once and in order. Those of different accounts are
 * not, so a stream of all accounts ends when a notice may have been lost; its client starts again.
 */
export function createSharedLive({ onEvent }: Pick<Db, 'onEvent'>, shared: SharedLog, log: Log): Live & { stop(): void } {
  const streams = createStreams()
  const accounts = new Map<number, Followed>()
  const endsOfAll = new Set<() => void>()
  let all: All | undefined
  const dirty = new Set<number>()
  const listening = createBeginning()
  let looking = false
  let isStopped = false

  async function look() {
    if (looking) return
    looking = true
    try {
      while (dirty.size > 0 && !isStopped) await readEvents()
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'live events could not be read')
    } finally {
      looking = false
    }
  }

  async function readEvents() {
    const after = new Map<number, number>()
    for (const id of dirty) {
      const last = accounts.get(id)?.after ?? null
      if (last !== null) after.set(id, last)
    }
    dirty.clear()
    if (after.size === 0) return
    const events = await shared.listEvents(after, BATCH)
    if (events.length === BATCH) for (const id of after.keys()) dirty.add(id)
    for (const event of events) {
      const followed = accounts.get(event.accountId)
      // Another stream may have begun meanwhile, with later events only.
      if (!followed || followed.after === null || event.id <= followed.after) continue
      followed.after = event.id
      streams.publish(event)
    }
  }

  function lookAtAll() {
    for (const id of accounts.keys()) dirty.add(id)
    void look()
  }

  /** Repeats until the database responds, so that no stream begins with a gap. */
  async function readNewest(accountId: number | null): Promise<number> {
    while (!isStopped)
      try {
        return await shared.findNewest(accountId)
      } catch (error) {
        log.warn({ err: error }, 'live events could not be read')
        await delay(LOOK_MS, undefined, { ref: false })
      }
    return 0
  }

  function followAccount(id: number) {
    const followed = accounts.get(id) ?? beginAccount(id)
    followed.streams++
    return () => {
      followed.streams--
      removeUnused(id, followed)
    }
  }

  function beginAccount(id: number) {
    const followed: Followed = { after: null, streams: 0, ready: Promise.resolve() }
    followed.ready = readNewest(id).then((newest) => {
      followed.after = newest
      dirty.add(id)
      void look()
    })
    accounts.set(id, followed)
    return followed
  }

  function removeUnused(id: number, followed: Followed) {
    if (followed.streams === 0 && !all && accounts.get(id) === followed) accounts.delete(id)
  }

  function followEveryAccount(end: () => void) {
    endsOfAll.add(end)
    if (!all) {
      const begun: All = { newest: null, ready: Promise.resolve() }
      begun.ready = listening.ready
        .then(() => readNewest(null))
        .then((newest) => {
          begun.newest = newest
        })
      all = begun
    }
    return () => {
      endsOfAll.delete(end)
      if (endsOfAll.size > 0) return
      all = undefined
      for (const [id, followed] of accounts) removeUnused(id, followed)
    }
  }

  function hear(text: string) {
    const { events = [], sessions = [] } = readNotice(text)
    streams.endNow(sessions)
    for (const [id, first] of events) {
      if (!accounts.has(id) && all && all.newest !== null)
        accounts.set(id, { after: Math.min(first - 1, all.newest), streams: 0, ready: Promise.resolve() })
      if (accounts.has(id)) dirty.add(id)
    }
    void look()
  }

  function fillGap() {
    if (listening.isBegun) for (const end of [...endsOfAll]) end()
    listening.begin()
    lookAtAll()
  }

  const announce = createAnnouncer((texts) => shared.send(texts), log)
  const unsubscribeFromOwn = onEvent(({ accountId, id }) => announce.event(accountId, id))
  const unlisten = shared.listen(hear, fillGap)
  const timer = setInterval(lookAtAll, LOOK_MS).unref()

  return {
    subscribe(hearEvent, end = () => {}, session = '', accountId = null) {
      const unfollow = accountId === null ? followEveryAccount(end) : followAccount(accountId)
      const unsubscribe = streams.subscribe(hearEvent, end, session, accountId)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        unsubscribe()
        unfollow()
      }
    },
    follow: async (accountId) => (accountId === null ? all : accounts.get(accountId))?.ready,
    endSessions: (tx, sessions) =>
      onCommit(tx, () => {
        const hashes = sessions.map(({ hash }) => hash)
        streams.endNow(hashes)
        announce.sessions(hashes)
      }),
    countStreams: (session) => streams.countStreams(session),
    countStreamsOf: (accountId) => streams.countStreamsOf(accountId),
    close: streams.close,
    stop() {
      isStopped = true
      clearInterval(timer)
      unsubscribeFromOwn()
      unlisten()
    },
  }
}

function createBeginning() {
  let resolve = () => {}
  const ready = new Promise<void>((done) => {
    resolve = done
  })
  return {
    ready,
    isBegun: false,
    begin() {
      this.isBegun = true
      resolve()
    },
  }
}

/** Another program may use the channel. */
function readNotice(text: string): Notice {
  try {
    return JSON.parse(text) as Notice
  } catch {
    return {}
  }
}

/** Sends notices of events and of ended sessions together. A failed one is not repeated: all servers look by themselves. */
function createAnnouncer(send: (texts: string[]) => Promise<void>, log: Log) {
  let firsts = new Map<number, number>()
  let sessions: string[] = []
  let sentAt = 0
  let isWaiting = false

  async function announce() {
    if (isWaiting) return
    isWaiting = true
    while (firsts.size > 0 || sessions.length > 0) {
      await delay(Math.max(0, sentAt + ANNOUNCE_MS - performance.now()), undefined, { ref: false })
      sentAt = performance.now()
      const notices: Notice[] = [
        ...split([...firsts], MAX_ACCOUNTS).map((events) => ({ events })),
        ...split(sessions, MAX_SESSIONS).map((ended) => ({ sessions: ended })),
      ]
      firsts = new Map()
      sessions = []
      await send(notices.map((notice) => JSON.stringify(notice))).catch((error) => log.warn({ err: error }, 'a notice was not sent'))
    }
    isWaiting = false
  }

  return {
    event(accountId: number, id: number) {
      if (!firsts.has(accountId)) firsts.set(accountId, id)
      void announce()
    },
    sessions(hashes: readonly string[]) {
      sessions.push(...hashes)
      void announce()
    },
  }
}

const split = <T>(all: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** Removes events of the log that are older than a day, and excess events of an account, until stopped. */
export const runLogPruning = (shared: SharedLog, { db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>) =>
  runPeriodically(async () => {
    try {
      await shared.prune(new Date(clock.now().getTime() - DAY_MS - (await findRemovalLag(db.read))))
    } catch (error) {
      count(db, 'job_failures_total', { work: 'live_log' })
      log.warn({ err: error }, 'live events were not pruned')
    }
  }, MINUTE_MS)

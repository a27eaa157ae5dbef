import { LIVE_RESET, LIVE_SCOPES, type LiveBody, type LiveType } from '#contracts/live.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader, LiveEvent } from '#db/db.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { findDevice, findViewer, type SignedIn, seesSomeTrackers, type Viewer } from '#db/scope.ts'
import { throttledFor } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { accountSeenBy, listEventsAfter, MAX_EVENTS, readLogState } from './live-log.store.ts'

const HEARTBEAT_MS = 15_000
/** Events that may wait for a slow reader before it is disconnected; it catches up with `Last-Event-ID`. */
const MAX_WAITING = 1000
/** The most missed events that a client receives on reconnecting, instead of loading everything again. */
const MAX_RESUMED = 2 * MAX_EVENTS
const GREETING = ': live\nretry: 2000\n\n'
const HEARTBEAT = Buffer.from(': heartbeat\n\n')

const formatEvent = ({ id, type, data }: LiveEvent) => `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`

type Batch = { events: LiveEvent[]; bytes: Buffer }
/** Encoded events, keyed by their first event: the streams of an account send the same events, which are encoded once for all of them. */
const batches = new WeakMap<LiveEvent, Batch>()

function encodeEvents(events: LiveEvent[]): Buffer {
  const [first] = events
  if (!first) return EMPTY
  const known = batches.get(first)
  if (known?.events.length === events.length && known.events.every((event, index) => event === events[index])) return known.bytes
  const bytes = Buffer.from(events.map(formatEvent).join(''))
  batches.set(first, { events, bytes })
  return bytes
}

const EMPTY = Buffer.alloc(0)

/** Support opens the stream again after an hour, so that the log of the accounts records that support kept reading. */
const SUPPORT_MS = HOUR_MS

type Ports = Pick<ViewerContext, 'db' | 'live' | 'clock' | 'session' | 'lastEventId'> & { viewer: Viewer & Pick<SignedIn, 'scopes'> }

/** The most live streams of one session: some browser tabs and an app. */
const MAX_STREAMS = 10
/** The most live streams of an account at one server, over all sessions: a team with a dozen screens has fewer. */
const MAX_ACCOUNT_STREAMS = 200
const STREAM_PAUSE_MS = 30_000

/** Throws `throttled` when the session or its account has too many live streams. */
export function requireStreamRoom({ live, session, viewer }: Ports) {
  const isFull = live.countStreams(session) >= MAX_STREAMS || live.countStreamsOf(accountSeenBy(viewer)) >= MAX_ACCOUNT_STREAMS
  if (isFull) throw throttledFor(STREAM_PAUSE_MS)
}

/**
 * Streams the events of the viewer's trackers as server-sent events. Events count from this call on, even before the stream is read. Ends
 * with the session; at the next heartbeat if the session expired.
 */
export function createLiveStream(ports: Ports): AsyncIterable<string | Buffer> & AsyncIterator<string | Buffer> {
  const { db, live, viewer, lastEventId } = ports
  const account = accountSeenBy(viewer)
  const openedAt = ports.clock.now().getTime()
  const { scopes } = viewer
  const mayHear = ({ type }: LiveEvent) => !scopes || scopes.includes(LIVE_SCOPES[type as LiveType])
  let waiting: LiveEvent[] = []
  let greeting = GREETING
  let isHeartbeatDue = false
  let caughtUpTo = 0
  let isOpen = true
  let wake = () => {}
  const unsubscribe = live.subscribe(
    (event) => {
      if (!mayHear(event)) return
      waiting.push(event)
      if (waiting.length > MAX_WAITING) close()
      wake()
    },
    close,
    ports.session,
    account,
  )
  const timer = setInterval(() => {
    isHeartbeatDue = true
    wake()
  }, HEARTBEAT_MS).unref()

  function close() {
    isOpen = false
    unsubscribe()
    clearInterval(timer)
    wake()
  }

  async function readMissedEvents() {
    const text = greeting
    greeting = ''
    await live.follow(account)
    if (lastEventId === undefined) return text
    // Events of different accounts have no common order if several transactions run at a time.
    const hasOrder = hasOneWriter || account !== null
    const missed = hasOrder ? await listEventsAfter(db.read, viewer, lastEventId, MAX_RESUMED + 1) : []
    // Read last, so that nothing is removed from the log between the two.
    const { newest, isComplete } = await readLogState(db.read, account, lastEventId)
    if (!isComplete || !hasOrder || missed.length > MAX_RESUMED) {
      if (hasOrder) caughtUpTo = newest
      return `${text}id: ${newest}\nevent: ${LIVE_RESET}\ndata: {}\n\n`
    }
    caughtUpTo = missed.at(-1)?.id ?? lastEventId
    const events = seesSomeTrackers(viewer) ? await filterEvents(db.read, viewer, missed) : missed
    return text + events.filter(mayHear).map(formatEvent).join('')
  }

  async function readNewEvents() {
    const isOver = viewer.role === 'deepsupport' && ports.clock.now().getTime() - openedAt >= SUPPORT_MS
    if (isHeartbeatDue && (isOver || !(await isSessionValid(ports)))) {
      close()
      return EMPTY
    }
    const events = waiting[0] && waiting[0].id > caughtUpTo ? waiting : waiting.filter((event) => event.id > caughtUpTo)
    waiting = []
    const bytes = encodeEvents(seesSomeTrackers(viewer) ? await filterEvents(db.read, viewer, events) : events)
    if (!isHeartbeatDue) return bytes
    isHeartbeatDue = false
    return Buffer.concat([bytes, HEARTBEAT])
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      while (isOpen) {
        const value = greeting ? await readMissedEvents() : await readNewEvents()
        if (value.length > 0) return { done: false, value }
        if (isOpen && waiting.length === 0 && !isHeartbeatDue) await new Promise<void>((resolve) => (wake = resolve))
      }
      return { done: true, value: undefined }
    },
    async return() {
      close()
      return { done: true, value: undefined }
    },
  }
}

/** The events in the viewer's scope. Checked for each event, because the tracker list of a team member may change. */
async function filterEvents(db: DbReader, viewer: Viewer, events: LiveEvent[]) {
  const isSeen = await Promise.all(events.map((event) => isInSight(db, viewer, event)))
  return events.filter((_, index) => isSeen[index])
}

/** An alert about two trackers is for those who see both. */
async function isInSight(db: DbReader, viewer: Viewer, { type, deviceId, data }: LiveEvent) {
  if (!(await findDevice(db, viewer, deviceId))) return false
  const { other } = type === 'alert' ? (JSON.parse(data) as LiveBody<'alert'>) : {}
  return other === undefined || (await findDevice(db, viewer, other)) !== undefined
}

/** False once the session has ended in any way, or the user's role or account has changed. */
async function isSessionValid({ db, clock, session, viewer }: Pick<ViewerContext, 'db' | 'clock' | 'session' | 'viewer'>) {
  const now = await findViewer(db.read, session, clock.now())
  return now?.accountId === viewer.accountId && now.role === viewer.role
}

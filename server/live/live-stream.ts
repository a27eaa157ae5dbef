import { LIVE_RESET } from '#contracts/live.ts'
import type { DbReader } from '#db/db.ts'
import { findDevice, type Viewer } from '#db/scope.ts'
import { viewerOf } from '#db/sessions.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { listEventsAfter, readLogState } from './live-log.store.ts'

const HEARTBEAT_MS = 15_000
/** Events that may wait for a slow reader before it is disconnected; it catches up with `Last-Event-ID`. */
const MAX_WAITING = 1000
const GREETING = ': live\nretry: 2000\n\n'
const HEARTBEAT = ': heartbeat\n\n'

const formatEvent = ({ id, type, data }: LiveEvent) => `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`

type Ports = Pick<ViewerContext, 'db' | 'live' | 'clock' | 'viewer' | 'session' | 'lastEventId'>

/**
 * Streams the events of the viewer's trackers as server-sent events. Events count from this call on, even before the stream is read. Ends
 * at the first heartbeat after the session has ended.
 */
export function createLiveStream(ports: Ports): AsyncIterable<string> & AsyncIterator<string> {
  const { db, live, viewer, lastEventId } = ports
  const waiting: LiveEvent[] = []
  let greeting = GREETING
  let heartbeat = ''
  let caughtUpTo = 0
  let isOpen = true
  let wake = () => {}
  const unsubscribe = live.subscribe((event) => {
    waiting.push(event)
    if (waiting.length > MAX_WAITING) close()
    wake()
  }, close)
  const timer = setInterval(() => {
    heartbeat = HEARTBEAT
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
    if (lastEventId === undefined) return text
    const { newest, isComplete } = await readLogState(db.read, lastEventId)
    if (!isComplete) {
      caughtUpTo = newest
      return `${text}id: ${newest}\nevent: ${LIVE_RESET}\ndata: {}\n\n`
    }
    const events = await listEventsAfter(db.read, viewer, lastEventId)
    caughtUpTo = events.at(-1)?.id ?? 0
    return text + events.map(formatEvent).join('')
  }

  async function readNewEvents() {
    if (heartbeat && !(await isSessionValid(ports))) {
      close()
      return ''
    }
    const events = waiting.splice(0).filter((event) => event.id > caughtUpTo)
    const audible = await Promise.all(events.map((event) => canSeeEvent(db.read, viewer, event)))
    const text =
      events
        .filter((_, index) => audible[index])
        .map(formatEvent)
        .join('') + heartbeat
    heartbeat = ''
    return text
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      while (isOpen) {
        const text = greeting ? await readMissedEvents() : await readNewEvents()
        if (text) return { done: false, value: text }
        if (isOpen && waiting.length === 0 && !heartbeat) await new Promise<void>((resolve) => (wake = resolve))
      }
      return { done: true, value: undefined }
    },
    async return() {
      close()
      return { done: true, value: undefined }
    },
  }
}

/** Whether the event is in the viewer's scope. Checked per event, because the tracker list of a team member may change. */
async function canSeeEvent(db: DbReader, viewer: Viewer, { accountId, deviceId }: LiveEvent) {
  if (viewer.role === 'deepsupport') return true
  if (accountId !== viewer.accountId) return false
  return viewer.role !== 'pro' || (await findDevice(db, viewer, deviceId)) !== undefined
}

/** False once the session has ended in any way, or the user's role or account has changed. */
async function isSessionValid({ db, clock, session, viewer }: Pick<ViewerContext, 'db' | 'clock' | 'session' | 'viewer'>) {
  const now = await viewerOf(db.read, session, clock.now())
  return now?.accountId === viewer.accountId && now.role === viewer.role
}

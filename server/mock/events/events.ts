import { EventEmitter, once } from 'node:events'
import type { EventType } from '#contracts/mock/events.ts'

/** A client with more unread events is disconnected. */
const MAX_QUEUED = 1000
const HEARTBEAT_MS = 15_000
const formatEvent = ({ id, type, data }: WorldEvent) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Streams the world's events as server-sent events. Subscribes at once, so events before the first read are not lost. */
export function createEventStream(events: Events): AsyncIterableIterator<string> {
  const queue = [': events\nretry: 2000\n\n']
  let isOpen = true
  let wake = () => {}
  const push = (text: string) => {
    queue.push(text)
    if (queue.length > MAX_QUEUED) close()
    wake()
  }
  const unsubscribe = events.listen((event) => push(formatEvent(event)), close)
  const timer = setInterval(push, HEARTBEAT_MS, ': heartbeat\n\n').unref()

  function close() {
    isOpen = false
    unsubscribe()
    clearInterval(timer)
    wake()
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (isOpen && queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const text = queue.splice(0).join('')
      return text ? { done: false, value: text } : { done: true, value: undefined }
    },
    async return() {
      close()
      return { done: true, value: undefined }
    },
  }
}

export type WorldEvent = { id: number; type: EventType; data: object }

export type Events = {
  publish(type: EventType, data: object): void
  hasListeners(): boolean
  /** Subscribes to events until the returned function is called; `end` is called when the world closes. */
  listen(listener: (event: WorldEvent) => void, end: () => void): () => void
  /** Resolves at the next event, or when the world closes or `over` aborts. */
  waitForNext(over: AbortSignal): Promise<void>
  close(): void
}

export function createEvents(): Events {
  const emitter = new EventEmitter().setMaxListeners(0)
  let id = 0
  return {
    publish: (type, data) => void emitter.emit('event', { id: ++id, type, data }),
    hasListeners: () => emitter.listenerCount('event') > 0,
    listen(listener, end) {
      emitter.on('event', listener).on('end', end)
      return () => void emitter.off('event', listener).off('end', end)
    },
    async waitForNext(over) {
      const done = new AbortController()
      const signal = AbortSignal.any([over, done.signal])
      await Promise.race(['event', 'end'].map((name) => once(emitter, name, { signal }))).catch(() => undefined)
      done.abort()
    },
    close: () => void emitter.emit('end'),
  }
}

/** Calls `look` now and after each event until it returns a result; returns undefined after `ms`. */
export async function waitForResult<T>(
  events: Events,
  ms: number,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const over = AbortSignal.timeout(ms)
  for (;;) {
    const next = events.waitForNext(over)
    const found = await look()
    if (found !== undefined || over.aborted) return found
    await next
  }
}

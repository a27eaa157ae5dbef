import type { Events, WorldEvent } from './events.ts'

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

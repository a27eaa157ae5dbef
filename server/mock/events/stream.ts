import type { Events, Told } from './events.ts'

/** A client with more unread events is disconnected. */
const MAX_WAITING = 1000
const HEARTBEAT_MS = 15_000
const textOf = ({ id, type, data }: Told) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Streams the world's events as server-sent events. Subscribes at once, so events before the first read are not lost. */
export function eventStream(events: Events): AsyncIterableIterator<string> {
  const waiting = [': events\nretry: 2000\n\n']
  let isOpen = true
  let wake = () => {}
  const say = (text: string) => {
    waiting.push(text)
    if (waiting.length > MAX_WAITING) close()
    wake()
  }
  const unlisten = events.listen((told) => say(textOf(told)), close)
  const timer = setInterval(say, HEARTBEAT_MS, ': heartbeat\n\n').unref()

  function close() {
    isOpen = false
    unlisten()
    clearInterval(timer)
    wake()
  }

  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (isOpen && waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      const text = waiting.splice(0).join('')
      return text ? { done: false, value: text } : { done: true, value: undefined }
    },
    async return() {
      close()
      return { done: true, value: undefined }
    },
  }
}

import { createEventParser, type StreamEvent } from '#contracts/lib/sse.ts'

export type LiveState = 'connecting' | 'live' | 'offline'

type Channel = {
  open: (init: { signal: AbortSignal; headers?: Record<string, string> }) => Promise<Response>
  onEvent: (event: StreamEvent) => void
  onState: (state: LiveState) => void
  /** Resolves after `ms`, or earlier when it makes sense to retry, such as back online. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** The server sends something every 15 seconds; a stream silent for longer is dead, even if the browser still considers it open. */
const SILENCE_MS = 40_000

/** 1, 2, 4 … 30 seconds. */
export const retryDelayMs = (failures: number) => Math.min(30, 2 ** failures) * 1000

/** Keeps a stream open until aborted: reconnects with back-off and resumes after the last event received. Never throws. */
export async function runChannel({ open, onEvent, onState, wait, signal }: Channel) {
  const seen: { lastId: string | null; failures: number } = { lastId: null, failures: 0 }
  while (!signal.aborted) {
    onState(seen.failures > 0 ? 'offline' : 'connecting')
    await listen(open, signal, seen.lastId, {
      onOpen() {
        seen.failures = 0
        onState('live')
      },
      onEvent(event) {
        seen.lastId = event.id ?? seen.lastId
        onEvent(event)
      },
    }).catch(() => undefined)
    if (signal.aborted) return
    onState('offline')
    await wait(retryDelayMs(seen.failures), signal)
    seen.failures++
  }
}

type Hear = { onOpen: () => void; onEvent: (event: StreamEvent) => void }

async function listen(open: Channel['open'], outer: AbortSignal, lastId: string | null, { onOpen, onEvent }: Hear) {
  const own = new AbortController()
  const signal = AbortSignal.any([outer, own.signal])
  let watchdog = setTimeout(() => own.abort(), SILENCE_MS)
  try {
    const answer = await open({ signal, headers: lastId === null ? {} : { 'Last-Event-ID': lastId } })
    if (!answer.ok || !answer.body) return
    onOpen()
    const [parse, decoder, reader] = [createEventParser(), new TextDecoder(), answer.body.getReader()]
    signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => own.abort(), SILENCE_MS)
      for (const event of parse(decoder.decode(piece.value, { stream: true }))) onEvent(event)
    }
  } finally {
    clearTimeout(watchdog)
    own.abort()
  }
}

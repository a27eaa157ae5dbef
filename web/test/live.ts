import { sha256 } from '#server/lib/secrets.ts'
import { createLiveStream } from '#server/live/live-stream.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import type { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

/** A server whose live stream stays open; `inject` cannot do that, because it waits for the end of the response. */
export function withLive(portal: Portal, key: string) {
  const { id: userId, accountId, role, email } = getPersona(key)
  const { db, live, clock } = portal.world
  let opened = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).startsWith('/devices/live/')) return portal.fetch(input, init)
    opened++
    const asked = new Headers(init?.headers).get('last-event-id')
    const session = sha256(await portal.token(email))
    const stream = createLiveStream({
      db,
      live,
      clock,
      session,
      viewer: { userId, accountId, role },
      ...(asked && { lastEventId: Number(asked) }),
    })
    return new Response(bytes(stream, init?.signal))
  }
  return { fetch, token: portal.token, opened: () => opened }
}

const bytes = (stream: AsyncIterator<string | Uint8Array>, signal: AbortSignal | null | undefined) => {
  signal?.addEventListener('abort', () => void stream.return?.())
  return new ReadableStream<Uint8Array>({
    async pull(to) {
      const { value, done } = await stream.next()
      if (done) to.close()
      else to.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value)
    },
    cancel: () => void stream.return?.(),
  })
}

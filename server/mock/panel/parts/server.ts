import type { StreamEvent } from '#contracts/lib/sse.ts'
import { connect, eventsOf } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'

const AGAIN_MS = 2000

/** The control plane of this page's world, which the host or the cookie names. */
export const server = connect(control, { base: location.origin })

/** Subscribes to the world's events until `signal` aborts, and reconnects after a break such as a reset. */
export async function listen(signal: AbortSignal, hear: (event: StreamEvent) => void) {
  while (!signal.aborted) {
    try {
      for await (const event of eventsOf(await server.events.watch({}, { signal }))) hear(event)
    } catch {
      // The server is unreachable, or the panel was closed.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

import type { StreamEvent } from '#contracts/lib/sse.ts'
import { connect, eventsOf } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'

const AGAIN_MS = 2000

/** The control plane of the world whose page this is: its host or its cookie names it. */
export const server = connect(control, { base: location.origin })

/** Hears what happens in the world until `signal` ends; after a break, such as a reset, it listens again. */
export async function listen(signal: AbortSignal, hear: (event: StreamEvent) => void) {
  while (!signal.aborted) {
    try {
      for await (const event of eventsOf(await server.events.watch({}, { signal }))) hear(event)
    } catch {
      // The server is away, or the panel was closed.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

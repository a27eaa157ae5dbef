import type { events as contract } from '#contracts/mock/events.ts'
import type { Handlers } from '#server/lib/serve.ts'
import type { MockWorlds } from '#server/mock/worlds.ts'
import { eventStream } from './stream.ts'

/** For who watches a world: a test, the panel, a terminal. */
export const events = (worlds: MockWorlds): Handlers<typeof contract> => ({
  watch: (_, { id }) => eventStream(worlds.get(id)!.events),
})

import type { events as contract } from '#contracts/mock/events.ts'
import type { Handlers } from '#server/http/serve.ts'
import { createEventStream } from '#server/mock/events/event-stream.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

export const events = (worlds: MockWorlds): Handlers<typeof contract> => ({
  watch: (_, { id }) => createEventStream(worlds.get(id)!.events),
})

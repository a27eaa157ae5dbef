import type { downlinks as contract } from '#contracts/mock/downlinks.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { waitForResult } from '#server/mock/events/events.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'

export function downlinks(worlds: MockWorlds): Handlers<typeof contract> {
  const getWorld = ({ id }: { id: string }) => worlds.get(id)!
  return {
    list: (_, world) => getWorld(world).networks.sent().toReversed(),
    async wait({ body: { count, timeout_ms } }, world) {
      const { networks, events } = getWorld(world)
      const found = await waitForResult(events, timeout_ms, () => (networks.sent().length >= count ? networks.sent() : undefined))
      if (!found) throw new Failure('nothing_came', { count: networks.sent().length })
      return found.toReversed()
    },
    clear: (_, world) => getWorld(world).networks.clear(),
  }
}

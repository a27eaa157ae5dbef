import type { pushes as contract } from '#contracts/mock/pushes.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { waitForResult } from '#server/mock/events/events.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'
import { findBrowserOfPush, listPushRows, removeBrowser } from '#server/push/push.store.ts'

const MAX_LISTED = 200

/** In worlds notifications stay in the table, because none is sent. */
export const pushes = (worlds: MockWorlds): Handlers<typeof contract> => ({
  list: (_, world) => listPushes(world),
  async wait({ body: { user, after = 0, timeout_ms } }, world) {
    const isMeant = (push: { id: number; user: string }) => push.id > after && (user === undefined || push.user === user)
    const found = await waitForResult(worlds.get(world.id)!.events, timeout_ms, async () => (await listPushes(world)).find(isMeant))
    if (!found) throw new Failure('nothing_came')
    return found
  },
  async gone({ params: { id } }, world) {
    const browser = await findBrowserOfPush(world.db.read, id)
    if (browser === undefined) throw new Failure('not_found')
    await world.db.write([], (tx) => removeBrowser(tx, browser))
  },
})

async function listPushes({ db }: Pick<World, 'db'>) {
  const found = await listPushRows(db.read, MAX_LISTED)
  return found.map(({ push: { id, createdAt, title, body, url }, user, endpoint }) => ({
    id,
    at: formatInstant(createdAt),
    user,
    endpoint,
    title,
    body,
    url,
  }))
}

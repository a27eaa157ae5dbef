import type { downlinks as downlinksContract } from '#contracts/mock/downlinks.ts'
import type { pushes as contract, hooks as hooksContract, SentHook } from '#contracts/mock/outgoing.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { waitForResult } from '#server/mock/events/events.ts'
import { buildPushRequest } from '#server/mock/worlds/push-fake.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'
import { findPush, listPushRows, removeBrowser } from '#server/push/push.store.ts'
import { buildMessage } from '#server/push/push-dispatch.ts'

const MAX_LISTED = 200
/** The most notifications listed in the response to a wait that timed out. */
const MAX_HINTS = 5

/** Worlds keep notifications in the table, because none is sent. */
export const pushes = (worlds: MockWorlds): Handlers<typeof contract> => ({
  list: (_, world) => listPushes(world),
  async wait({ body: { user, after = 0, timeout_ms } }, world) {
    const isMeant = (push: { id: number; user: string }) => push.id > after && (user === undefined || push.user === user)
    const found = await waitForResult(worlds.get(world.id)!.events, timeout_ms, async () => (await listPushes(world)).find(isMeant))
    if (!found) {
      const newest = (await listPushes(world)).slice(0, MAX_HINTS)
      throw new Failure('nothing_came', { pushes: newest.map(({ id, user: to, title }) => ({ id, user: to, title })) })
    }
    return found
  },
  async request({ params: { id } }, world) {
    const { db, clock } = world
    const found = await findPush(db.read, id)
    const message = found && buildMessage(world, found, clock.now())
    if (!message) throw new Failure('not_found')
    return buildPushRequest(message)
  },
  async gone({ params: { id } }, world) {
    const found = await findPush(world.db.read, id)
    if (!found) throw new Failure('not_found')
    await world.db.write([], (tx) => removeBrowser(tx, found.browser.id))
  },
})

async function listPushes({ db }: Pick<World, 'db'>) {
  const found = await listPushRows(db.read, MAX_LISTED)
  return found.map(({ push: { id, createdAt, title, body, url, alert }, user, endpoint }) => ({
    id,
    at: formatInstant(createdAt),
    user,
    endpoint,
    title,
    body,
    url,
    buttons: alert?.buttons.map(({ action, title }) => ({ action, title })) ?? [],
  }))
}

export function downlinks(worlds: MockWorlds): Handlers<typeof downlinksContract> {
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

export function hooks(worlds: MockWorlds): Handlers<typeof hooksContract> {
  const getWorld = ({ id }: { id: string }) => worlds.get(id)!
  return {
    list: (_, world) => getWorld(world).receivers.sent().toReversed(),
    async wait({ body: { kind, text, after = 0, timeout_ms } }, world) {
      const { receivers, events } = getWorld(world)
      const isMeant = (hook: SentHook) =>
        hook.id > after && (kind === undefined || hook.kind === kind) && (text === undefined || hook.body.includes(text))
      const found = await waitForResult(events, timeout_ms, () => receivers.sent().findLast(isMeant))
      if (!found) {
        const newest = receivers.sent().slice(-MAX_HINTS).toReversed()
        throw new Failure('nothing_came', { hooks: newest.map(({ id, kind, url, status }) => ({ id, kind, url, status })) })
      }
      return found
    },
    answer({ body }, world) {
      getWorld(world).receivers.answerWith(body)
      return body
    },
    clear: (_, world) => getWorld(world).receivers.clear(),
  }
}

import type { firings as firingsContract, silences as silencesContract } from '#contracts/mock/outgoing.ts'
import { alertInbox, readFirings } from '#server/alerts/firings.handlers.ts'
import { silences as productSilences } from '#server/alerts/silences.handlers.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { EVERYBODY, getPersona } from '#server/mock/control/handlers/scenarios.handlers.ts'
import { waitForResult } from '#server/mock/events/events.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { HandlerContext, ViewerContext } from '#server/ports/world.ts'

/** The most fired alerts listed in the response to a wait that timed out. */
const MAX_HINTS = 5

/** The context of a call by a persona, or by somebody who sees all accounts. */
function createCalls(worlds: MockWorlds) {
  return async (world: HandlerContext, persona?: string): Promise<ViewerContext> => {
    if (persona === undefined) return { ...world, viewer: EVERYBODY, session: '' }
    const { user } = await getPersona(worlds.get(world.id)!, persona)
    const { id: userId, accountId, role, email } = user
    return { ...world, viewer: { userId, accountId, role, email }, session: '' }
  }
}

export function firings(worlds: MockWorlds): Handlers<typeof firingsContract> {
  const callAs = createCalls(worlds)
  const list = async (context: ViewerContext) => (await readFirings(context, {})).firings.sort((a, b) => b.id - a.id)
  return {
    list: async ({ query }, world) => list(await callAs(world, query.persona)),
    async wait({ body: { persona, kind, device, after = 0, timeout_ms } }, world) {
      const context = await callAs(world, persona)
      const find = async () =>
        (await list(context)).find(
          (firing) =>
            firing.id > after &&
            (kind === undefined || firing.kind === kind) &&
            (device === undefined || firing.device === device || firing.other === device),
        )
      const found = await waitForResult(worlds.get(world.id)!.events, timeout_ms, find)
      if (!found) {
        const newest = (await list(context)).slice(0, MAX_HINTS)
        throw new Failure('nothing_came', {
          firings: newest.map(({ id, at, kind: of, device: from }) => ({ id, at, kind: of, device: from })),
        })
      }
      return found
    },
    async see({ body }, world) {
      const context = await callAs(world, body.persona)
      const newest = (await list(context)).at(0)
      if (newest) await alertInbox.see({ body: { up_to: newest.id } }, context)
    },
  }
}

export function silences(worlds: MockWorlds): Handlers<typeof silencesContract> {
  const callAs = createCalls(worlds)
  return {
    list: async (_, world) => productSilences.list({}, await callAs(world)),
    create: async ({ body: { persona, ...body } }, world) => productSilences.create({ body }, await callAs(world, persona)),
    async end({ params }, world) {
      await productSilences.remove({ params }, await callAs(world))
    },
  }
}

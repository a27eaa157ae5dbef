import type { PlanMove } from '#contracts/billing/plan-moves.ts'
import type { Tx } from '#db/db.ts'
import { type MovePorts, movePlanIn } from '#server/billing/moves/move-plan.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import { nameTracker, recordForOwner } from '#server/deeds/for-owner.ts'

type Ports = DeedPorts & MovePorts

/**
 * Moves a plan in the transaction of a deed, and records it for the owner. Returns the deed and the response. Throws `not_found`,
 * `subscription_required`, `already_active` and `device_linked_to_pro`.
 */
export async function movePlanForOwner(tx: Tx, ports: Ports, accountId: number, move: PlanMove) {
  const { from, to, response } = await movePlanIn(tx, ports, accountId, { ...move, isOwn: false })
  await recordForOwner(tx, ports, { accountId, kind: 'plan_moved', aboutId: to.id, about: `${from.name} → ${to.name}` })
  const deed = { kind: 'plan_moved', subject: nameTracker(to), accountId, detail: { from: nameTracker(from) } } as const
  return { deed, response }
}

/** Moves the running plan of a tracker to another one of the account, with its options and its renewal. Throws as `movePlanForOwner` does. */
export const movePlan = (ports: Ports, accountId: number, move: PlanMove) =>
  doDeed(ports, [`account:${accountId}`], (tx) => movePlanForOwner(tx, ports, accountId, move))

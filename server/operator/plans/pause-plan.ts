import type { PlanPause } from '#contracts/billing/plan-pauses.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { pausePlanIn, resumePlanIn } from '#server/billing/pauses/pause-plan.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import { nameTracker, recordForOwner } from '#server/deeds/for-owner.ts'

/** Pauses a plan in the transaction of a deed, and records it for the owner. Returns the deed and the response. Throws as `findPausable` does. */
export async function pausePlanForOwner(tx: Tx, ports: DeedPorts, accountId: number, pause: PlanPause) {
  const { device, until, response } = await pausePlanIn(tx, ports, accountId, { ...pause, isOwn: false })
  await recordForOwner(tx, ports, { accountId, kind: 'plan_paused', aboutId: device.id, about: device.name })
  const deed = {
    kind: 'plan_paused',
    subject: nameTracker(device),
    accountId,
    detail: { until: formatInstant(until).slice(0, 10) },
  } as const
  return { deed, response }
}

/** Pauses the running plan of a tracker and those of the same renewal. Throws as `findPausable` does. */
export const pausePlan = (ports: DeedPorts, accountId: number, pause: PlanPause) =>
  doDeed(ports, [`account:${accountId}`], (tx) => pausePlanForOwner(tx, ports, accountId, pause))

/** Ends the pause of a plan at once. Throws `not_found`, and `no_change` when it is not paused. */
export const resumePlan = (ports: DeedPorts, accountId: number, tracker: number) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const { device, response } = await resumePlanIn(tx, ports, accountId, tracker)
    await recordForOwner(tx, ports, { accountId, kind: 'plan_resumed', aboutId: device.id, about: device.name })
    return { deed: { kind: 'plan_resumed', subject: nameTracker(device), accountId }, response }
  })

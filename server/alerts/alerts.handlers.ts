import type { alerts as contract } from '#contracts/alerts.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { Viewer } from '#db/scope.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { Context } from '#server/ports/world.ts'
import { alertsInSight } from './alert-records.store.ts'
import { presentAlert } from './alerts.present.ts'
import { judge } from './judge.ts'
import { removeAlerts } from './remove.ts'
import { addAlert, changeAlert, newlyWanted, wantedOf } from './save.ts'
import type { Change } from './vehicle-modes.ts'

export const alerts: Handlers<typeof contract> = {
  list: async (_, { db, viewer }) => (await alertsInSight(db.read, viewer)).map(presentAlert),

  create({ body }, context) {
    const wanted = newlyWanted(body)
    return kept(context, async (tx, change) => {
      await judge(tx, context.viewer, wanted)
      const { id, events } = await addAlert(tx, context.viewer, wanted, change)
      return { answer: presentAlert(await found(tx, context.viewer, id)), events }
    })
  },

  get: async ({ params }, { db, viewer }) => presentAlert(await found(db.read, viewer, params.id)),

  update: ({ params, body }, context) =>
    kept(context, async (tx, change) => {
      const facts = await found(tx, context.viewer, params.id)
      const wanted = await wantedOf(tx, facts, body)
      await judge(tx, context.viewer, wanted)
      const events = await changeAlert(tx, facts.alert, wanted, change)
      return { answer: presentAlert(await found(tx, context.viewer, params.id)), events }
    }),

  /** When the alert also watches trackers that a member may not see, only the member's trackers leave it. */
  remove: ({ params }, context) =>
    kept(context, async (tx, change) => {
      const facts = await found(tx, context.viewer, params.id)
      const wanted = await wantedOf(tx, facts, {})
      const { id } = facts.alert
      const isShared = wanted.unseen.length > 0
      const events = isShared
        ? await changeAlert(tx, facts.alert, { ...wanted, devices: [] }, change)
        : await removeAlerts(tx, [id], change)
      return { answer: { id }, events }
    }),
}

async function found(db: Reader, viewer: Viewer, id: number) {
  const [facts] = await alertsInSight(db, viewer, id)
  if (!facts) throw new Failure('not_found')
  return facts
}

/** Runs `work` in one transaction and publishes its live events after the commit. */
async function kept<T>({ db, clock, live }: Context, work: (tx: Tx, change: Change) => Promise<{ answer: T; events: LiveEvent[] }>) {
  const now = clock.now()
  const { answer, events } = await writeDevices(db, (tx, touch) => work(tx, { now, touch }))
  for (const event of events) live.publish(event)
  return answer
}

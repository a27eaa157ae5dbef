import type { Alert, alerts as contract, alertSwitch as switchContract } from '#contracts/alerts.ts'
import type { BatteryAlert, batteryAlerts as batteryContract } from '#contracts/battery-alerts.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { batteryUnit, lowBatteryLevels } from '#contracts/rules/tracking/alert.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireRoom } from '#server/lib/account-limit.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { type AlertDetails, countAlerts, listContactIds, listVisibleAlerts } from './alerts.store.ts'
import {
  type AlertTransaction,
  buildChangedDraft,
  buildDraft,
  createAlert,
  removeAlerts,
  switchAlert,
  updateAlert,
  validateAlert,
} from './change-alerts.ts'
import { listBatteryContacts, saveBatteryAlert } from './tracker-alerts.store.ts'

export const alerts: Handlers<typeof contract> = {
  list: async (_, { db, viewer }) => (await listVisibleAlerts(db.read, viewer)).map(presentAlert),

  create({ body }, context) {
    const draft = buildDraft(body)
    return writeAndPublish(context, async (tx, change) => {
      requireRoom('alerts', await countAlerts(tx, context.viewer.accountId))
      await validateAlert(tx, context.viewer, draft)
      const { id, events } = await createAlert(tx, context.viewer, draft, change)
      return { answer: presentAlert(await getAlert(tx, context.viewer, id)), events }
    })
  },

  get: async ({ params }, { db, viewer }) => presentAlert(await getAlert(db.read, viewer, params.id)),

  update: ({ params, body }, context) =>
    writeAndPublish(context, async (tx, change) => {
      const facts = await getAlert(tx, context.viewer, params.id)
      const draft = await buildChangedDraft(tx, facts, body)
      await validateAlert(tx, context.viewer, draft)
      const events = await updateAlert(tx, facts.alert, draft, change)
      return { answer: presentAlert(await getAlert(tx, context.viewer, params.id)), events }
    }),

  /** If the alert also watches trackers that a member may not see, only the member's trackers are removed from it. */
  remove: ({ params }, context) =>
    writeAndPublish(context, async (tx, change) => {
      const facts = await getAlert(tx, context.viewer, params.id)
      const draft = await buildChangedDraft(tx, facts, {})
      const { id } = facts.alert
      const isShared = draft.unseen.length > 0
      const events = isShared ? await updateAlert(tx, facts.alert, { ...draft, devices: [] }, change) : await removeAlerts(tx, [id], change)
      return { answer: { id }, events }
    }),
}

export const alertSwitch: Handlers<typeof switchContract> = {
  set: ({ params, body }, context) =>
    writeAndPublish(context, async (tx, change) => {
      const { alert } = await getAlert(tx, context.viewer, params.id)
      const events = await switchAlert(tx, alert, body.on, change)
      return { answer: presentAlert(await getAlert(tx, context.viewer, params.id)), events }
    }),
}

async function getAlert(db: DbReader, viewer: Viewer, id: number) {
  const [facts] = await listVisibleAlerts(db, viewer, id)
  if (!facts) throw new Failure('not_found')
  return facts
}

/** Runs `work` in one transaction and publishes its live events after the commit. */
async function writeAndPublish<T>(
  { db, clock, live, viewer }: ViewerContext,
  work: (tx: Tx, change: AlertTransaction) => Promise<{ answer: T; events: LiveEvent[] }>,
) {
  const now = clock.now()
  const { answer, events } = await writeDevices(db, [`account:${viewer.accountId}`], (tx, touch) => work(tx, { now, touch }))
  for (const event of events) live.publish(event)
  return answer
}

const presentAlert = ({ alert, devices, contacts }: AlertDetails): Alert => ({
  id: alert.id,
  name: alert.name,
  devices,
  contacts,
  place: alert.placeId,
  trigger: alert.trigger,
  vehicle_alert: alert.isVehicleAlert,
  ...(alert.offSince && { off_since: formatInstant(alert.offSince) }),
})

export const batteryAlerts: Handlers<typeof batteryContract> = {
  async read({ params }, context) {
    const device = await getOwnedDevice(context, params.id)
    return presentBatteryAlert(context.db.read, device)
  },
  async save({ params, body }, { db, viewer }) {
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      const { min, max } = lowBatteryLevels(batteryUnit(device.type))
      if (body.threshold < min || body.threshold > max) throw invalidField('threshold', `Must be from ${min} to ${max}`)
      const contacts = [...new Set(body.contacts)]
      if ((await listContactIds(tx, device.accountId, contacts)).length < contacts.length) throw invalidField('contacts', 'No such contact')
      await saveBatteryAlert(tx, device.id, { threshold: body.threshold, contacts })
      return presentBatteryAlert(tx, { ...device, lowBattery: body.threshold })
    })
  },
}

async function presentBatteryAlert(db: DbReader, { id, type, lowBattery }: DeviceRow): Promise<BatteryAlert> {
  const unit = batteryUnit(type)
  const contacts = (await listBatteryContacts(db, id)).map((contact) => contact.id)
  return { threshold: lowBattery ?? lowBatteryLevels(unit).standard, unit, contacts }
}

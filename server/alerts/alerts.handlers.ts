import type { Alert, alerts as contract, alertSwitch as switchContract } from '#contracts/alerts.ts'
import type { BatteryAlert, batteryAlerts as batteryContract } from '#contracts/battery-alerts.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { batteryUnit, lowBatteryLevels } from '#contracts/rules/tracking/alert.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { requireRoom } from '#server/lib/limits/account-limit.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { type AlertDetails, countAlerts, listContactIds, listVisibleAlerts } from './alerts.store.ts'
import { buildChangedDraft, buildDraft, createAlert, removeAlerts, switchAlert, updateAlert, validateAlert } from './change-alerts.ts'
import { listBatteryContacts, saveBatteryAlert } from './tracker-alerts.store.ts'

export const alerts: Handlers<typeof contract> = {
  list: async (_, { db, viewer }) => (await listVisibleAlerts(db.read, viewer)).map(presentAlert),

  create({ body }, context) {
    const draft = buildDraft(body)
    return changeAlerts(context, async (tx, now) => {
      requireRoom('alerts', await countAlerts(tx, context.viewer.accountId))
      await validateAlert(tx, context.viewer, draft)
      const id = await createAlert(tx, context.viewer, draft, now)
      return presentAlert(await getAlert(tx, context.viewer, id))
    })
  },

  get: async ({ params }, { db, viewer }) => presentAlert(await getAlert(db.read, viewer, params.id)),

  update: ({ params, body }, context) =>
    changeAlerts(context, async (tx, now) => {
      const facts = await getAlert(tx, context.viewer, params.id)
      const draft = await buildChangedDraft(tx, facts, body)
      await validateAlert(tx, context.viewer, draft)
      await updateAlert(tx, facts.alert, draft, now)
      return presentAlert(await getAlert(tx, context.viewer, params.id))
    }),

  /** If the alert also watches trackers that a member may not see, only the member's trackers are removed from it. */
  remove: ({ params }, context) =>
    changeAlerts(context, async (tx, now) => {
      const facts = await getAlert(tx, context.viewer, params.id)
      const draft = await buildChangedDraft(tx, facts, {})
      const { id } = facts.alert
      if (draft.unseen.length > 0) await updateAlert(tx, facts.alert, { ...draft, devices: [] }, now)
      else await removeAlerts(tx, [id], now)
      return { id }
    }),
}

export const alertSwitch: Handlers<typeof switchContract> = {
  set: ({ params, body }, context) =>
    changeAlerts(context, async (tx, now) => {
      const { alert } = await getAlert(tx, context.viewer, params.id)
      await switchAlert(tx, alert, body.on, now)
      return presentAlert(await getAlert(tx, context.viewer, params.id))
    }),
}

async function getAlert(db: DbReader, viewer: Viewer, id: number) {
  const [facts] = await listVisibleAlerts(db, viewer, id)
  if (!facts) throw new Failure('not_found')
  return facts
}

function changeAlerts<T>({ db, clock, viewer }: ViewerContext, work: (tx: Tx, now: Date) => Promise<T>) {
  const now = clock.now()
  return writeDevices(db, [`account:${viewer.accountId}`], (tx) => work(tx, now))
}

const presentAlert = ({ alert, devices, contacts }: AlertDetails): Alert => ({
  id: alert.id,
  name: alert.name,
  devices,
  contacts,
  place: alert.placeId,
  trigger: alert.trigger,
  vehicle_alert: alert.isVehicleAlert,
  ...(alert.rule && { rule: alert.rule }),
  ...(alert.schedule && { schedule: alert.schedule }),
  ...(alert.pause > 0 && { pause: alert.pause }),
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

import type { BatteryAlert, batteryAlerts as contract } from '#contracts/battery-alerts.ts'
import { batteryUnit, lowBatteryLevels } from '#contracts/rules/tracking/low-battery.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/devices/get-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { listContactIds } from './alerts.store.ts'
import { listBatteryContacts, saveBatteryAlert } from './battery-alerts.store.ts'

export const batteryAlerts: Handlers<typeof contract> = {
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

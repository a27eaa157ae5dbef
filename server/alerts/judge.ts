import type { Trigger } from '#contracts/lib/constants.ts'
import { lackingOf, takesVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import type { Viewer } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { Failure } from '#server/lib/errors.ts'
import { hasPlace, listContactIds, listDevicesByIds, listVisibleDevices } from './alert-records.store.ts'

/** A complete alert to be saved; `unseen` are watched trackers that the viewer may not see. */
export type AlertDraft = {
  name: string | null
  devices: number[]
  unseen: number[]
  contacts: number[]
  place: number | null
  trigger: Trigger | null
  vehicle_alert: boolean
}

/** Throws `validation_error` with every invalid field, or `vehicle_only`. */
export async function validateAlert(tx: Tx, viewer: Viewer, wanted: AlertDraft) {
  const errors: Record<string, string[]> = {}
  for (const field of lackingOf(wanted)) errors[field] = ['Required unless it is a vehicle alert, and then with the other']
  const seen = await listVisibleDevices(tx, viewer, wanted.devices)
  if (seen.length < wanted.devices.length) errors.devices = ['Names a tracker that is not yours']
  const told = await listContactIds(tx, viewer.accountId, wanted.contacts)
  if (told.length < wanted.contacts.length) errors.contacts = ['Names a contact that is not yours']
  if (wanted.place !== null && !(await hasPlace(tx, viewer.accountId, wanted.place))) errors.place = ['Not a place of yours']
  if (Object.keys(errors).length > 0) throw new Failure('validation_error', { errors })
  if (wanted.vehicle_alert) await requireVehicles(tx, [...wanted.devices, ...wanted.unseen])
}

async function requireVehicles(tx: Tx, ids: number[]) {
  const others = (await listDevicesByIds(tx, ids)).filter(({ kind }) => !takesVehicleAlert(kind))
  if (others.length > 0)
    throw new Failure('vehicle_only', { errors: { devices: [`No vehicle or bike: ${others.map(({ id }) => id).join(', ')}`] } })
}

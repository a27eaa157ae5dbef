import type { Alert } from '#contracts/alerts.ts'
import type { AlertDetails } from './alert-records.store.ts'

export const presentAlert = ({ alert, devices, contacts }: AlertDetails): Alert => ({
  id: alert.id,
  name: alert.name,
  devices,
  contacts,
  place: alert.placeId,
  trigger: alert.trigger,
  vehicle_alert: alert.isVehicleAlert,
})

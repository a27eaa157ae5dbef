import type { Alert } from '#contracts/alerts.ts'
import type { AlertFacts } from './alert-records.store.ts'

export const presentAlert = ({ alert, devices, contacts }: AlertFacts): Alert => ({
  id: alert.id,
  name: alert.name,
  devices,
  contacts,
  place: alert.placeId,
  trigger: alert.trigger,
  vehicle_alert: alert.isVehicleAlert,
})

import { useState } from 'react'
import type { Alert } from '#contracts/alerts.ts'
import type { Device } from '#contracts/devices.ts'
import type { Trigger } from '#contracts/lib/constants.ts'
import { takesVehicleAlert } from '#contracts/rules/vehicle-alert.ts'

/**
 * State of an alert being edited. The vehicle alert hides trackers that cannot have it, but their selection returns when it is switched
 * off.
 */
export function useDraft(alert: Alert | undefined, all: readonly Device[]) {
  const [devices, setDevices] = useState(alert?.devices ?? [])
  const [contacts, setContacts] = useState(alert?.contacts ?? [])
  const [trigger, setTrigger] = useState<Trigger>(alert?.trigger ?? 'enter')
  const [place, setPlace] = useState(alert?.place ?? null)
  const [isVehicle, setVehicle] = useState(alert?.vehicle_alert ?? false)
  const offered = isVehicle ? all.filter(({ kind }) => takesVehicleAlert(kind)) : all
  const chosen = devices.filter((id) => offered.some((device) => device.id === id))
  // Only the API can create an alert for both a geofence and a vehicle; editing preserves both.
  const isBoth = isVehicle && alert?.vehicle_alert === true && alert.trigger !== null
  const watches = isVehicle && !isBoth ? { place: null, trigger: null } : { place, trigger }
  return {
    offered,
    told: { devices: chosen, contacts, ...watches, vehicle_alert: isVehicle },
    asksPlace: !isVehicle || isBoth,
    setDevices,
    setContacts,
    setTrigger,
    setPlace,
    setVehicle,
  }
}

export type Draft = ReturnType<typeof useDraft>

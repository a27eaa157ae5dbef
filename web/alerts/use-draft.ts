import { useState } from 'react'
import type { Alert } from '#contracts/alerts.ts'
import type { Device } from '#contracts/devices.ts'
import type { Trigger } from '#contracts/lib/constants.ts'
import { takesVehicleAlert } from '#contracts/rules/vehicle-alert.ts'

/**
 * An alert while it is being told. Only vehicles and bikes can have the vehicle alert: others that were chosen
 * wait until it is switched off again.
 */
export function useDraft(alert: Alert | undefined, all: readonly Device[]) {
  const [devices, setDevices] = useState(alert?.devices ?? [])
  const [contacts, setContacts] = useState(alert?.contacts ?? [])
  const [trigger, setTrigger] = useState<Trigger>(alert?.trigger ?? 'enter')
  const [place, setPlace] = useState(alert?.place ?? null)
  const [isVehicle, setVehicle] = useState(alert?.vehicle_alert ?? false)
  const offered = isVehicle ? all.filter(({ kind }) => takesVehicleAlert(kind)) : all
  const chosen = devices.filter((id) => offered.some((device) => device.id === id))
  // One that watches a border as well was made elsewhere: it goes on doing so.
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

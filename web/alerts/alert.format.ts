import { useQueries, useSuspenseQueries } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Alert } from '#contracts/alerts.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { contactsQuery } from './alerts.queries.ts'

type Named = { id: number; name: string }
type Known = { devices: readonly Named[]; contacts: readonly Named[]; places: readonly Named[]; language: string }

export type AlertContent = Pick<Alert, 'devices' | 'contacts' | 'place' | 'trigger' | 'vehicle_alert'>

/** Placeholder for the user among the contacts of an alert until it is saved. */
export const ME = 0

/** Placeholder for a name that is not chosen yet or could not be loaded. */
const GAP = '…'

const formatNames = (known: readonly Named[], ids: readonly number[], language: string, type: Intl.ListFormatType) => {
  const names = ids.flatMap((id) => known.find((one) => one.id === id)?.name ?? [])
  return new Intl.ListFormat(language, { type }).format(names) || GAP
}

/** Formats an alert, e.g. "When Rex leaves Home, tell Bob and Carol." An alert for both a geofence and a vehicle has two sentences. */
function formatAlert(t: TFunction, { devices, contacts, place, trigger, vehicle_alert }: AlertContent, known: Known): string[] {
  const parts = {
    count: contacts.length,
    who: formatNames(known.devices, devices, known.language, 'disjunction'),
    whom: formatNames(known.contacts, contacts, known.language, 'conjunction'),
    place: known.places.find(({ id }) => id === place)?.name ?? GAP,
  }
  const listedTrigger = pickListed(TRIGGERS, trigger ?? '', null)
  const sentences = [
    ...(listedTrigger ? [t(`alerts.says.${listedTrigger}`, parts)] : []),
    ...(vehicle_alert ? [t('alerts.says.vehicle', parts)] : []),
  ]
  // A trigger unknown to this build has no sentence, so its parts are shown.
  if (sentences.length === 0) return [[parts.who, parts.place, trigger].filter(Boolean).join(' · ')]
  return sentences.map((sentence) => sentence.replace(/….$/, GAP))
}

const namesQueries = () => [devicesQuery(), contactsQuery(), placesQuery()] as const

/** Returns a formatter for alerts, once all names are there. */
export const useAlertFormatter = () => useFormatter(useSuspenseQueries({ queries: namesQueries() }))

/** Returns a formatter for alerts that shows placeholders for missing names. */
export const usePartialFormatter = () => useFormatter(useQueries({ queries: namesQueries() }))

type Names = { data?: readonly Named[] | undefined }

function useFormatter([devices, contacts, places]: readonly [Names, Names, Names]) {
  const { t, i18n } = useTranslation()
  const known = {
    devices: devices.data ?? [],
    contacts: [{ id: ME, name: t('alerts.me') }, ...(contacts.data ?? [])],
    places: places.data ?? [],
    language: i18n.language,
  }
  return (alert: AlertContent) => formatAlert(t, alert, known)
}

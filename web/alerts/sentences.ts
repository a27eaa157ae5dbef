import { useQueries } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Alert } from '#contracts/alerts.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { contactsQuery } from './contacts.queries.ts'

type Named = { id: number; name: string }
type Known = { devices: readonly Named[]; contacts: readonly Named[]; places: readonly Named[]; language: string }

/** What of an alert makes its sentence. */
export type Told = Pick<Alert, 'devices' | 'contacts' | 'place' | 'trigger' | 'vehicle_alert'>

/** What is not chosen yet, or not for these eyes. */
const GAP = '…'

const listOf = (known: readonly Named[], ids: readonly number[], language: string, type: Intl.ListFormatType) => {
  const names = ids.flatMap((id) => known.find((one) => one.id === id)?.name ?? [])
  return new Intl.ListFormat(language, { type }).format(names) || GAP
}

/** An alert in words: "When Rex leaves Home, tell Bob and Carol." One that watches both a border and a vehicle has two. */
function alertSentences(t: TFunction, { devices, contacts, place, trigger, vehicle_alert }: Told, known: Known): string[] {
  const parts = {
    count: contacts.length,
    who: listOf(known.devices, devices, known.language, 'disjunction'),
    whom: listOf(known.contacts, contacts, known.language, 'conjunction'),
    place: known.places.find(({ id }) => id === place)?.name ?? GAP,
  }
  const sentences = [...(trigger ? [t(`alerts.says.${trigger}`, parts)] : []), ...(vehicle_alert ? [t('alerts.says.vehicle', parts)] : [])]
  return sentences.map((sentence) => sentence.replace(/….$/, GAP))
}

/**
 * Says alerts in the user's language, with the names of everything they name; null while those are read. Without a list that
 * could not be read its names are gaps, and `retry` reads it again.
 */
export function useSentences() {
  const { t, i18n } = useTranslation()
  const lists = useQueries({ queries: [devicesQuery(), contactsQuery(), placesQuery()] })
  const [devices, contacts, places] = lists
  const known = { devices: devices.data ?? [], contacts: contacts.data ?? [], places: places.data ?? [], language: i18n.language }
  const failed = lists.filter(({ isLoadingError }) => isLoadingError)
  return {
    say: lists.some(({ isPending }) => isPending) ? null : (alert: Told) => alertSentences(t, alert, known),
    retry: failed.length > 0 ? () => failed.map(({ refetch }) => refetch()) : null,
  }
}

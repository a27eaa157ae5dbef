import { useQueries, useSuspenseQueries } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Alert } from '#contracts/alerts.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { isPairRule, RULE_KINDS } from '#contracts/rules/tracking/rules/rule.ts'
import { formatRuleValues } from '#contracts/rules/tracking/rules/rule-values.ts'
import { formatSchedule } from '#web/alerts/rules/week.ts'
import { useFormats, useLocale } from '#web/lib/i18n/use-formats.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { contactsQuery } from './alerts.queries.ts'

type Named = { id: number; name: string }
type Known = {
  devices: readonly Named[]
  contacts: readonly Named[]
  places: readonly Named[]
  language: string
  locale: string
  formatSpeed: (kmh: number) => string
  formatDistance: (meters: number) => string
}

export type AlertContent = Pick<Alert, 'devices' | 'contacts' | 'place' | 'trigger' | 'vehicle_alert' | 'rule' | 'schedule' | 'pause'>

/** Placeholder for the user among the contacts of an alert until it is saved. */
export const ME = 0

/** Placeholder for a name that is not chosen yet or could not be loaded. */
export const GAP = '…'

const formatNames = (known: readonly Named[], ids: readonly number[], language: string, type: Intl.ListFormatType, least = 1) => {
  const names = ids.flatMap((id) => known.find((one) => one.id === id)?.name ?? [])
  const gaps = Array.from({ length: Math.max(0, least - names.length) }, () => GAP)
  return new Intl.ListFormat(language, { type }).format([...names, ...gaps])
}

/** A part of a sentence that the user can choose. */
export type Slot = 'who' | 'event' | 'place' | 'whom'
export type SentencePart = { slot: Slot | null; text: string }

/** The translations have the verb in brackets and names for the rest: "When {{who}} [leaves] {{place}}, tell {{whom}}." */
const MARKS = /\u2060(who|place|whom)\u2060|\[([^\]]*)\]/g
const MARKED = { who: '\u2060who\u2060', place: '\u2060place\u2060', whom: '\u2060whom\u2060' }

function splitSentence(template: string, names: Record<keyof typeof MARKED, string>): SentencePart[] {
  const parts: SentencePart[] = []
  let from = 0
  for (const { 0: mark, 1: name, 2: verb, index } of template.matchAll(MARKS)) {
    if (index > from) parts.push({ slot: null, text: template.slice(from, index) })
    const slot = name as keyof typeof MARKED | undefined
    parts.push(slot ? { slot, text: names[slot] } : { slot: 'event', text: verb ?? '' })
    from = index + mark.length
  }
  return from < template.length ? [...parts, { slot: null, text: template.slice(from) }] : parts
}

/**
 * The parts of the sentences of an alert, e.g. "When Rex leaves Home, tell Bob and Carol." An alert for both a geofence and a vehicle has
 * two.
 */
function formatParts(
  t: TFunction,
  { devices, contacts, place, trigger, vehicle_alert, rule, schedule }: AlertContent,
  known: Known,
): SentencePart[][] {
  const names = {
    who: isPairRule(rule ?? null)
      ? formatNames(known.devices, devices, known.language, 'conjunction', 2)
      : formatNames(known.devices, devices, known.language, 'disjunction'),
    whom: formatNames(known.contacts, contacts, known.language, 'conjunction'),
    place: known.places.find(({ id }) => id === place)?.name ?? GAP,
  }
  const template = { count: contacts.length, ...MARKED }
  if (rule) {
    const kind = pickListed(RULE_KINDS, rule.kind, 'other')
    const ruleValues = formatRuleValues(rule, known.locale, { speed: known.formatSpeed, distance: known.formatDistance })
    const times = schedule ? [[{ slot: null, text: t('alerts.rule.only', { when: formatSchedule(schedule, known.locale) }) }]] : []
    if (kind !== 'other') return [splitSentence(t(`alerts.says.${kind}`, { ...template, ...ruleValues }), names), ...times]
    const values = { tracker: names.who, other: GAP, distance: GAP, place: names.place, ...ruleValues }
    return [
      [
        { slot: null, text: `${t(`fired.says.${kind}`, values)} · ` },
        { slot: 'whom', text: names.whom },
      ],
    ]
  }
  const listedTrigger = pickListed(TRIGGERS, trigger ?? '', null)
  const sentences = [
    ...(listedTrigger ? [splitSentence(t(`alerts.says.${listedTrigger}`, template), names)] : []),
    ...(vehicle_alert ? [splitSentence(t('alerts.says.vehicle', template), names)] : []),
  ]
  if (sentences.length > 0) return sentences
  // A trigger unknown to this build has no sentence, so its parts are shown.
  const shown = [
    { slot: 'who', text: names.who } as const,
    { slot: 'place', text: names.place } as const,
    { slot: 'event', text: trigger ?? '' } as const,
  ]
  return [shown.flatMap((part, nth): SentencePart[] => (part.text ? [...(nth > 0 ? [{ slot: null, text: ' · ' }] : []), part] : []))]
}

/** The sentences as text. */
const formatAlert = (parts: readonly SentencePart[][]): string[] =>
  parts.map((sentence) =>
    sentence
      .map(({ text }) => text)
      .join('')
      .replace(/….$/, GAP),
  )

const namesQueries = () => [devicesQuery(), contactsQuery(), placesQuery()] as const

/** Returns a formatter for alerts, once all names are there. */
export function useAlertFormatter() {
  const format = useFormatter(useSuspenseQueries({ queries: namesQueries() }))
  return (alert: AlertContent) => formatAlert(format(alert))
}

/** Returns a formatter for alerts that shows placeholders for missing names. */
export function usePartialFormatter() {
  const format = usePartsFormatter()
  return (alert: AlertContent) => formatAlert(format(alert))
}

/** The same in parts. */
export const usePartsFormatter = () => useFormatter(useQueries({ queries: namesQueries() }))

type Names = { data?: readonly Named[] | undefined }

function useFormatter([devices, contacts, places]: readonly [Names, Names, Names]) {
  const { t, i18n } = useTranslation()
  const locale = useLocale()
  const { speed: formatSpeed, setDistance: formatDistance } = useFormats()
  const known = {
    devices: devices.data ?? [],
    contacts: [{ id: ME, name: t('alerts.me') }, ...(contacts.data ?? [])],
    places: places.data ?? [],
    language: i18n.language,
    locale,
    formatSpeed,
    formatDistance,
  }
  return (alert: AlertContent) => formatParts(t, alert, known)
}

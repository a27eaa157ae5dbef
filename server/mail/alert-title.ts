import type { AlertRule } from '#contracts/alerts.ts'
import type { FiringKind } from '#contracts/firings.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { RULE_KINDS } from '#contracts/rules/tracking/rules/rule.ts'
import { formatMeters, formatRuleValues } from '#contracts/rules/tracking/rules/rule-values.ts'
import { formatLocale } from './letter-parts.ts'
import { createTranslate, type MailKey } from './mail-translate.ts'

const TITLES = {
  place_enter: 'place_alert.place_enter',
  place_leave: 'place_alert.place_leave',
  vehicle_alert: 'vehicle_alert.subject',
  low_battery: 'low_battery.subject',
} as const satisfies Record<Exclude<FiringKind, (typeof RULE_KINDS)[number]>, MailKey>

type Names = {
  kind: FiringKind
  tracker: string
  other?: string | undefined
  /** Metres between both. */
  distance?: number | undefined
  place: string | undefined
  rule?: AlertRule | null | undefined
}

/** One line about a fired alert, such as `Rex left Home`. */
export function alertTitle(language: Language, { kind, tracker, other = '', distance = 0, place = '', rule }: Names) {
  const known = RULE_KINDS.find((of) => of === kind)
  const key = known ? (`rule_alert.${known}` as const) : TITLES[kind as keyof typeof TITLES]
  const locale = formatLocale(language)
  return createTranslate(language)(key, {
    tracker,
    other,
    distance: formatMeters(locale, distance),
    place,
    ...formatRuleValues(rule, locale),
  })
}

import type { FiringKind } from '#contracts/firings.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { createTranslate, type MailKey } from './mail-translate.ts'

const TITLES: Record<FiringKind, MailKey> = {
  place_enter: 'place_alert.place_enter',
  place_leave: 'place_alert.place_leave',
  vehicle_alert: 'vehicle_alert.subject',
  low_battery: 'low_battery.subject',
}

type Names = { kind: FiringKind; tracker: string; place: string | undefined }

/** One line about a fired alert, such as `Rex left Home`. */
export const alertTitle = (language: Language, { kind, tracker, place = '' }: Names) =>
  createTranslate(language)(TITLES[kind], { tracker, place })

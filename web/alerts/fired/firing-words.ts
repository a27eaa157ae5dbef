import {
  IconAntennaBars5,
  IconAntennaBarsOff,
  IconArrowsJoin,
  IconArrowsSplit,
  IconBattery1,
  IconBell,
  IconCar,
  IconClockExclamation,
  IconGauge,
  IconHandClick,
  IconLogin2,
  IconLogout2,
  IconMapQuestion,
  IconParking,
  IconWalk,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type AlertFiring, FIRING_KINDS, type FiringNotice, NOTICE_REASONS, NOTICE_STATES, NOTICE_WAYS } from '#contracts/firings.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { HOUR_MS, millis } from '#contracts/rules/time.ts'
import { formatRuleValues } from '#contracts/rules/tracking/rules/rule-values.ts'
import { useFormats, useLocale } from '#web/lib/i18n/use-formats.ts'

export const FIRING_ICONS = {
  place_enter: IconLogin2,
  place_leave: IconLogout2,
  vehicle_alert: IconCar,
  low_battery: IconBattery1,
  silent: IconAntennaBarsOff,
  back: IconAntennaBars5,
  battery: IconBattery1,
  button: IconHandClick,
  moved: IconWalk,
  stands: IconParking,
  speed: IconGauge,
  not_arrived: IconClockExclamation,
  not_left: IconClockExclamation,
  apart: IconArrowsSplit,
  together: IconArrowsJoin,
  unusual: IconMapQuestion,
  other: IconBell,
}

export const kindOf = ({ kind }: AlertFiring) => pickListed(FIRING_KINDS, kind, 'other')

/** Whether nobody was notified because the server learned of it an hour after it fired. */
export const isLateFiring = ({ at, published_at }: { at: string; published_at?: string | null | undefined }) =>
  published_at !== undefined && published_at !== null && millis(published_at) - millis(at) > HOUR_MS

/** A function that says what happened in one sentence: Rex left Home. */
export function useFiringSentence() {
  const { t } = useTranslation()
  const locale = useLocale()
  const { speed, distance } = useFormats()
  return (firing: AlertFiring) =>
    t(`fired.says.${kindOf(firing)}`, {
      tracker: firing.device_name,
      place: firing.place_name ?? '…',
      other: firing.other_name ?? '…',
      distance: firing.distance === undefined ? '…' : distance(firing.distance),
      ...formatRuleValues(firing.rule, locale, { speed, distance }),
    })
}

/** Names of services, the same in every language. */
const SERVICES = { webhook: 'Webhook', telegram: 'Telegram', ntfy: 'ntfy' } as const

/** A function that says what became of a notice: to whom, and in which state. */
export function useNoticeWords() {
  const { t } = useTranslation()
  const formats = useFormats()
  return ({ way: sentWay, to, state: sentState, at, reason: sentReason, status }: FiringNotice) => {
    const way = pickListed(NOTICE_WAYS, sentWay, 'other')
    const state = pickListed(NOTICE_STATES, sentState, 'unknown')
    const reason = sentReason === null ? null : pickListed(NOTICE_REASONS, sentReason, 'other')
    const name = way in SERVICES ? SERVICES[way as keyof typeof SERVICES] : t(`fired.way.${way as 'email' | 'push' | 'other'}`)
    const what = t(`fired.state.${state}`)
    const parts = [
      what,
      ...(at === null ? [] : [formats.dateTime(at)]),
      ...(reason === null ? [] : [t(`fired.reason.${reason}`, { status: status ?? '' })]),
    ]
    return { name, to, state, says: parts.join(' · ') }
  }
}

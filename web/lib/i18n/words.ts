import type { TFunction } from 'i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Motion } from '#contracts/rules/history/motion.ts'
import { billingPeriod, INTERVALS, type Recurring, splitMonths } from '#contracts/rules/price.ts'
import { parseSubState } from '#contracts/rules/subscription.ts'
import { type ModeLabel, UNREPORTED_MODE } from '#contracts/rules/tracking/mode.ts'
import type { stationaryWording } from '#contracts/rules/tracking/reporting.ts'
import type { BatteryDisplay } from '#contracts/rules/tracking/tracker.ts'

/** `85%`, `3650 mV`, `?`. */
export const batteryWords = (t: TFunction, battery: BatteryDisplay): string => {
  if (battery.unit === 'unknown') return t('battery.unknown')
  return battery.unit === 'mV' ? t('battery.millivolts', { n: battery.value }) : t('battery.percent', { n: battery.value })
}

/** Moving, or how long it has been stationary; if neither is known, that the position is known. */
export const motionWords = (t: TFunction, motion: Motion): string => {
  if (motion.state !== 'stationary') return t(`motion.${motion.state}`)
  return motion.unit === 'hours' ? t('motion.stationaryHours', { count: motion.n }) : t('motion.stationaryMinutes', { count: motion.n })
}

export const modeWords = (t: TFunction, mode: ModeLabel): string => {
  if (mode.kind === 'unknown') return mode.code === UNREPORTED_MODE ? t('mode.unreported') : t('mode.unknown', { code: mode.code })
  if (mode.kind !== 'level') return t(`mode.${mode.kind}`)
  const level = t(`monitoring.${mode.level}`)
  return mode.variant === 'none' ? level : t(`mode.level_${mode.variant}`, { level })
}

export const updateWords = (t: TFunction, wording: ReturnType<typeof stationaryWording>): string => {
  if (wording.key === 'everyMinutes') return t('updates.everyMinutes', { count: wording.n })
  if (wording.key === 'everyHours') return t('updates.everyHours', { count: wording.n })
  if (wording.key === 'everyMinutesRange') return t('updates.everyMinutesRange', { n: wording.n, count: wording.m })
  return t(`updates.${wording.key}`)
}

/** The state of a tracker's subscription; states unknown to this build read like no subscription. */
export const subStateWords = (t: TFunction, state: string): string => t(`subState.${parseSubState(state)}`)

/** Months as years and months, with free months added separately. */
export const durationWords = (t: TFunction, total: number, extra = 0): string => {
  const { years, months } = splitMonths(total)
  const parts = [...(years ? [t('duration.years', { count: years })] : []), ...(months ? [t('duration.months', { count: months })] : [])]
  const paid = parts.join(' ') || t('duration.noChange')
  return extra > 0 ? t('duration.withExtra', { duration: paid, count: extra }) : paid
}

/** Nothing for an interval without a text, such as that of a price whose backend does not state it. */
export const periodWords = (t: TFunction, recurring: Recurring | null): string => {
  const period = billingPeriod(recurring)
  if (!period) return t('period.oneTime')
  const unit = pickListed(INTERVALS, period.unit, null)
  return unit ? t(`period.${unit}`, { count: period.every }) : ''
}

import type { TFunction } from 'i18next'
import type { BatteryDisplay } from '#contracts/rules/battery.ts'
import type { Recurring } from '#contracts/rules/duration.ts'
import { durationOf, periodOf } from '#contracts/rules/duration.ts'
import type { stationaryWording } from '#contracts/rules/frequency.ts'
import type { ModeLabel } from '#contracts/rules/mode.ts'
import type { Motion } from '#contracts/rules/motion.ts'
import { knownSubState } from '#contracts/rules/sub-state.ts'

/** The words for what the rules of the product find out; each rule's structure has one sentence here. */

/** W-14: `85%`, `3650 mV`, `?`. */
export const batteryWords = (t: TFunction, battery: BatteryDisplay): string => {
  if (battery.unit === 'unknown') return t('battery.unknown')
  return battery.unit === 'mV' ? t('battery.millivolts', { n: battery.value }) : t('battery.percent', { n: battery.value })
}

/** W-13: moving, or since how long it stands. */
export const motionWords = (t: TFunction, motion: Motion): string => {
  if (motion.state === 'moving') return t('motion.moving')
  return motion.unit === 'hours' ? t('motion.stationaryHours', { count: motion.n }) : t('motion.stationaryMinutes', { count: motion.n })
}

/** W-5: the label of a mode. */
export const modeWords = (t: TFunction, mode: ModeLabel): string => {
  if (mode.kind === 'unknown') return t('mode.unknown', { code: mode.code })
  if (mode.kind !== 'level') return t(`mode.${mode.kind}`)
  const level = t(`monitoring.${mode.level}`)
  return mode.variant === 'none' ? level : t(`mode.level_${mode.variant}`, { level })
}

/** W-11: how often a tracker reports. */
export const updateWords = (t: TFunction, wording: ReturnType<typeof stationaryWording>): string => {
  if (wording.key === 'everyMinutes') return t('updates.everyMinutes', { count: wording.n })
  if (wording.key === 'everyHours') return t('updates.everyHours', { count: wording.n })
  if (wording.key === 'everyMinutesRange') return t('updates.everyMinutesRange', { n: wording.n, count: wording.m })
  return t(`updates.${wording.key}`)
}

/** the state of a tracker's subscription. */
export const subStateWords = (t: TFunction, state: string): string => t(`subState.${knownSubState(state)}`)

/** W-2: months as years and months; the free ones apart. */
export const durationWords = (t: TFunction, total: number, extra = 0): string => {
  const { years, months } = durationOf(total)
  const parts = [...(years ? [t('duration.years', { count: years })] : []), ...(months ? [t('duration.months', { count: months })] : [])]
  const paid = parts.join(' ') || t('duration.noChange')
  return extra > 0 ? t('duration.withExtra', { duration: paid, count: extra }) : paid
}

/** W-2b: how often a price recurs. */
export const periodWords = (t: TFunction, recurring: Recurring | null): string => {
  const period = periodOf(recurring)
  if (!period) return t('period.oneTime')
  return t(`period.${period.unit}`, { count: period.every })
}

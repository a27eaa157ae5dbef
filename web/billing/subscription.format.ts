import type { TFunction } from 'i18next'
import type { Price } from '#contracts/billing/subscriptions.ts'
import { UNNAMED } from '#contracts/lib/unknown-values.ts'
import { computeEndDate, currentSubState, isUnlimited } from '#contracts/rules/subscription.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { durationWords, periodWords, subStateWords } from '#web/lib/i18n/words.ts'
import { trackerService } from '#web/trackers/service.ts'
import { priceTerm } from './offer.ts'

/** A plan by its months, or by its name without them. */
export const formatPlan = (t: TFunction, price: Price) => {
  const { months, extra } = priceTerm(price)
  return months > 0 ? durationWords(t, months, extra) : price.name || UNNAMED
}

export const buildPlanOptions = (t: TFunction, formats: Formats, plans: readonly Price[]) =>
  plans.map((price) => ({
    value: price.id,
    label: [formatPlan(t, price), periodWords(t, price.recurring), formats.price(price.unit_amount, price.currency)]
      .filter((part) => part !== '')
      .join(' · '),
  }))

export function formatSubscription(t: TFunction, formats: Formats, device: Device, now: Date): string {
  const { tracker_status, price } = device
  const { sub_state, sub_end_date: end } = tracker_status
  const state = currentSubState(sub_state, end, now)
  const service = trackerService(device, now)
  if (service.state === 'resting' && service.pausedUntil) return t('rest.paused', { date: formats.date(service.pausedUntil) })
  if (service.state === 'resting') return t('rest.since', { date: formats.date(service.since) })
  const ended = state === 'ended' && end ? t('subscriptions.endedOn', { date: formats.date(end) }) : undefined
  if (ended && service.state === 'grace') return [ended, t('rest.endsOn', { date: formats.date(service.until) })].join(' · ')
  if (ended) return ended
  if (state !== 'active') return subStateWords(t, state)
  const until = end === null ? t('tracker.noEnd') : formatEndDate(t, formats.date(end), price?.recurring ?? false)
  return [until, ...(price && price.months > 0 ? [durationWords(t, price.months, price.extra)] : [])].join(' · ')
}

export const formatEndDate = (t: TFunction, date: string, isRecurring: boolean) =>
  isRecurring ? t('subscriptions.renewsOn', { date }) : t('subscriptions.activeUntil', { date })

/** The end of the subscription now and after a purchase. */
export function formatEnds(t: TFunction, formats: Formats, device: Device, price: Price | null, now: Date) {
  const words = formatSubscription(t, formats, device, now)
  const { sub_state, sub_end_date: end } = device.tracker_status
  const { months, extra } = priceTerm(price)
  if (months === 0 || isUnlimited(sub_state, end)) return words
  const isActive = currentSubState(sub_state, end, now) === 'active' && end !== null
  const before = isActive ? t('subscriptions.activeUntil', { date: formats.date(end) }) : words
  return `${before} → ${formats.date(computeEndDate(now, end, months, extra).toISOString())}`
}

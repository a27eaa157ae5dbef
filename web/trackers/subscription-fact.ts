import type { TFunction } from 'i18next'
import type { Device } from '#contracts/devices.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { subStateWords } from '#web/lib/i18n/words.ts'

/** Label and value for a subscription: when it ends, renews or ended, or its state. */
export const subscriptionFact = (t: TFunction, formats: Formats, { tracker_status, price }: Device, now: Date) => {
  const { sub_end_date: end } = tracker_status
  const state = currentSubState(tracker_status.sub_state, end, now)
  if (state === 'ended' && end) return { label: t('tracker.endedOn'), value: formats.date(end) }
  if (state !== 'active') return { label: t('tracker.subscription'), value: subStateWords(t, state) }
  if (end === null) return { label: t('tracker.subscription'), value: t('tracker.noEnd') }
  return { label: price?.recurring ? t('tracker.renews') : t('tracker.until'), value: formats.date(end) }
}

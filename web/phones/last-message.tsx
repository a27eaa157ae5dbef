import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { KEY_MESSAGE_REASONS, type KeyMessage } from '#contracts/trackers/device-keys.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { keyMessagesQuery } from './device-keys.queries.ts'
import classes from './phones.module.css'

/** The last message of each key for a tracker; refreshed while it is shown. Empty where the backend does not record them. */
export function useKeyMessages(device: number): KeyMessage[] {
  return useQuery({ ...keyMessagesQuery(device), enabled: useFeature('keyMessages') }).data ?? []
}

/** A sentence about a message: when it arrived, whether it was accepted, and why not. */
export function useMessageText() {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow(1000)
  return (message: KeyMessage) =>
    t(`phones.message.${chooseText(message)}`, {
      age: formats.age(new Date(message.datetime), now),
      reason: reasonText(t, message.reason),
    }).trim()
}

function chooseText({ outcome, reason, positions }: KeyMessage) {
  if (reason === 'too_many') return 'tooMany'
  if (outcome !== 'read') return 'refused'
  if (reason !== null) return 'inPart'
  return positions === 0 ? 'noPosition' : 'read'
}

/** Empty for a reason unknown to this portal. */
function reasonText(t: TFunction, reason: string | null) {
  const known = KEY_MESSAGE_REASONS.find((each) => each === reason)
  return known ? t(`phones.reason.${known}`) : ''
}

/** Shows, during the setup of a phone, whether its messages arrive and are read. */
export function LastMessage({ device, id }: { device: number; id: number }) {
  const { t } = useTranslation()
  const isRecorded = useFeature('keyMessages')
  const message = useKeyMessages(device).find(({ key }) => key === id)
  const text = useMessageText()
  if (!isRecorded) return null
  return (
    <p role="status" className={classes.message} data-outcome={message ? (message.reason === null ? 'read' : 'faulty') : 'waiting'}>
      {message ? text(message) : t('phones.waiting')}
    </p>
  )
}

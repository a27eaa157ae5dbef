import * as z from 'zod/mini'
import { Text } from '#contracts/common.ts'
import { LINK_DURATION_HOURS, TEXT_LENGTH } from '#contracts/constants.ts'
import { HOUR_MS } from '#contracts/rules/instant.ts'
import { linkDates } from '#contracts/rules/link-dates.ts'

/** `h24`, a chosen `date`, or `permanent` (D-17). */
export const DURATIONS = [...LINK_DURATION_HOURS.map((hours) => `h${hours}`), 'date', 'permanent']

export const hoursOf = (duration: string) => Number(/^h(\d+)$/.exec(duration)?.[1] ?? 0)

export const LinkForm = z.object({
  label: Text(1, TEXT_LENGTH.linkLabel),
  duration: z.string(),
  end: z.optional(z.string()),
  from_beginning: z.boolean(),
  last_point: z.boolean(),
})

/** What the form asks of the server; null when the chosen day is not in the future. A link ends with its day. */
export const linkRequest = ({ label, duration, end, from_beginning, last_point }: z.output<typeof LinkForm>, now: Date) => {
  const endsAt = duration === 'date' ? new Date(`${end}T23:59:59`) : new Date(now.getTime() + hoursOf(duration) * HOUR_MS)
  if (duration === 'permanent') return { label, permanent: true, from_beginning, last_point }
  if (Number.isNaN(endsAt.getTime())) return null
  const request = { label, end_date: endsAt.toISOString(), permanent: false, from_beginning, last_point }
  return typeof linkDates(request, now) === 'string' ? null : request
}

import * as z from 'zod/mini'
import { Text } from '#contracts/lib/common.ts'
import { LINK_DURATION_HOURS, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { HOUR_MS } from '#contracts/rules/instant.ts'
import { linkDates } from '#contracts/rules/link-dates.ts'

/** `h24`, or a chosen `date`. */
export const DURATIONS = [...LINK_DURATION_HOURS.map((hours) => `h${hours}`), 'date']

export const hoursOf = (duration: string) => Number(/^h(\d+)$/.exec(duration)?.[1] ?? 0)

/** What is disabled says nothing: the duration of a permanent link, the start of one from the beginning. */
export const LinkForm = z.object({
  label: Text(1, TEXT_LENGTH.linkLabel),
  duration: z.optional(z.string()),
  end: z.optional(z.string()),
  start: z.optional(z.string()),
  permanent: z.boolean(),
  from_beginning: z.boolean(),
  last_point: z.boolean(),
})

/** What the form asks of the server, or what is wrong with its end. A link begins with its first day and ends with its last. */
export const linkRequest = (form: z.output<typeof LinkForm>, now: Date) => {
  const { label, duration = '', end, start, permanent, from_beginning, last_point } = form
  const startsAt = start && !from_beginning ? { start_date: new Date(`${start}T00:00:00`).toISOString() } : {}
  // A tracker that rests was last heard of before now: alone, its last position would be none.
  const asked = { label, permanent, from_beginning: from_beginning || (last_point && !start), last_point, ...startsAt }
  if (permanent) return asked
  const endsAt = duration === 'date' ? new Date(`${end}T23:59:59`) : new Date(now.getTime() + hoursOf(duration) * HOUR_MS)
  if (Number.isNaN(endsAt.getTime())) return 'required'
  const request = { ...asked, end_date: endsAt.toISOString() }
  const dates = linkDates(request, now)
  return typeof dates === 'string' ? dates : request
}

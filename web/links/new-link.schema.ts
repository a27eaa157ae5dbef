import * as z from 'zod/mini'
import { Text } from '#contracts/lib/common.ts'
import { LINK_DURATION_HOURS, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { computeLinkDates } from '#contracts/rules/link.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'

/** `h` with a number of hours, or `date`. */
export const DURATIONS = [...LINK_DURATION_HOURS.map((hours) => `h${hours}`), 'date']

export const parseDurationHours = (duration: string) => Number(/^h(\d+)$/.exec(duration)?.[1] ?? 0)

/** Disabled fields submit nothing: the duration of a permanent link, the start of one from the beginning. */
export const LinkForm = z.object({
  label: Text(1, TEXT_LENGTH.linkLabel),
  duration: z.optional(z.string()),
  end: z.optional(z.string()),
  start: z.optional(z.string()),
  permanent: z.boolean(),
  from_beginning: z.boolean(),
  last_point: z.boolean(),
})

/** Returns the request body, or the reason why the end date is invalid. Links cover whole days, first and last included. */
export const buildLinkRequest = (form: z.output<typeof LinkForm>, now: Date) => {
  const { label, duration = '', end, start, permanent, from_beginning, last_point } = form
  const startsAt = start && !from_beginning ? { start_date: new Date(`${start}T00:00:00`).toISOString() } : {}
  // The last position of a resting tracker predates the link, so sharing only that position requires `from_beginning`.
  const common = { label, permanent, from_beginning: from_beginning || (last_point && !start), last_point, ...startsAt }
  if (permanent) return common
  const endsAt = duration === 'date' ? new Date(`${end}T23:59:59`) : new Date(now.getTime() + parseDurationHours(duration) * HOUR_MS)
  if (Number.isNaN(endsAt.getTime())) return 'required'
  const request = { ...common, end_date: endsAt.toISOString() }
  const dates = computeLinkDates(request, now)
  return typeof dates === 'string' ? dates : request
}

import * as z from 'zod/mini'
import { parseId, Text } from '#contracts/lib/common.ts'
import { LINK_DURATION_HOURS, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { computeLinkDates } from '#contracts/rules/link.ts'
import { HOUR_MS, type Instant, millis } from '#contracts/rules/time.ts'

/** `h` with a number of hours, `date`, or `permanent`. */
export const DURATIONS = [...LINK_DURATION_HOURS.map((hours) => `h${hours}`), 'date', 'permanent']

export const parseDurationHours = (duration: string) => Number(/^h(\d+)$/.exec(duration)?.[1] ?? 0)

/** What visitors see: where the tracker is at each moment, also its track since midnight, or all of its track. */
export const EXTENTS = ['now', 'today', 'all'] as const
export type Extent = (typeof EXTENTS)[number]

export const LinkForm = z.object({
  label: Text(1, TEXT_LENGTH.linkLabel),
  duration: z.string(),
  end: z.optional(z.string()),
  extent: z.enum(EXTENTS),
  /** Id of a place; empty for none. */
  destination: z.optional(z.string()),
})

/**
 * Returns the request body, or the reason why the end date is invalid. A link covers its whole last day. A link of today's track starts at
 * the last fix if that is older than today, so that its visitors see at once where the tracker is.
 */
export const buildLinkRequest = (form: z.output<typeof LinkForm>, now: Date, lastFix: Instant | null) => {
  const { label, duration, end, extent, destination } = form
  // The last position of a resting tracker predates the link, so sharing only that position requires `from_beginning`.
  const common = {
    label,
    permanent: duration === 'permanent',
    from_beginning: extent !== 'today',
    last_point: extent === 'now',
    ...(extent === 'today' && { start_date: startOfTrack(now, lastFix) }),
    ...(destination && { destination: parseId(destination) }),
  }
  if (common.permanent) return common
  const endsAt = duration === 'date' ? new Date(`${end}T23:59:59`) : new Date(now.getTime() + parseDurationHours(duration) * HOUR_MS)
  if (Number.isNaN(endsAt.getTime())) return 'required'
  const request = { ...common, end_date: endsAt.toISOString() }
  const dates = computeLinkDates(request, now)
  return typeof dates === 'string' ? dates : request
}

function startOfTrack(now: Date, lastFix: Instant | null) {
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  return new Date(Math.min(midnight.getTime(), lastFix === null ? Infinity : millis(lastFix))).toISOString()
}

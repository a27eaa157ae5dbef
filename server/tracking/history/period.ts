import { HISTORY_MAX_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { Failure } from '#server/lib/errors.ts'

export type Period = { from: Date; to: Date }

/** Returns the requested period; by default the 24 hours before its end or now. Throws `invalid_period`. */
export function resolvePeriod(
  { not_before, not_after }: { not_before?: string | undefined; not_after?: string | undefined },
  now: Date,
): Period {
  const to = not_after === undefined ? now : new Date(not_after)
  const from = not_before === undefined ? new Date(to.getTime() - DAY_MS) : new Date(not_before)
  const length = to.getTime() - from.getTime()
  if (length < 0 || length > HISTORY_MAX_DAYS * DAY_MS) throw new Failure('invalid_period')
  return { from, to }
}

/** First and last whole second (Unix time) of the period, as positions are stored. */
export const periodSeconds = ({ from, to }: Period) => ({ first: Math.ceil(from.getTime() / 1000), last: Math.floor(to.getTime() / 1000) })

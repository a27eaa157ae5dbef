import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { Failure } from '#server/lib/errors.ts'

type Limited = keyof typeof ACCOUNT_LIMITS

/** Throws `limit_reached`, which names the limit, if the account would have more of a kind than it may. */
export function requireRoom(of: Limited, count: number, added = 1) {
  const limit = ACCOUNT_LIMITS[of]
  if (count + added > limit) throw new Failure('limit_reached', { of, limit })
}

import type { secondFactor as contract } from '#contracts/mock/second-factor.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { acceptedSteps, codeOfStep, TOTP_STEP_SECONDS } from '#server/accounts/factors/codes.ts'
import { findTotpByEmail } from '#server/accounts/factors/factors.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { open } from '#server/lib/secrets.ts'

export const secondFactor: Handlers<typeof contract> = {
  async code({ params }, { db, clock, secondFactor: { key } }) {
    const totp = await findTotpByEmail(db.read, normalizeAddress(params.email))
    if (!totp) throw new Failure('not_found')
    const { first, last } = acceptedSteps(clock.now())
    const now = first + 1
    const unused = Math.max(now, (totp.lastStep ?? 0) + 1)
    const step = unused <= last ? unused : now
    const secret = open(totp.secret, { key, owner: String(totp.userId) })
    return {
      code: codeOfStep(secret, step),
      valid_until: formatInstant(new Date((step + 1) * TOTP_STEP_SECONDS * 1000)),
      is_used: unused > last,
    }
  },
}

import type { secondFactor as contract } from '#contracts/mock/people.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { acceptedSteps, codeOfStep, TOTP_STEP_SECONDS } from '#server/accounts/factors/codes.ts'
import { findTotpByEmail } from '#server/accounts/factors/factors.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { open } from '#server/lib/secrets.ts'
import { ownerOfSecret } from '#server/operator/staff/sign-in.ts'
import { findByEmail } from '#server/operator/staff/staff.store.ts'

export const secondFactor: Handlers<typeof contract> = {
  async code({ params }, { db, clock, secondFactor: { key } }) {
    const totp = await findTotp(db.read, normalizeAddress(params.email))
    if (!totp) throw new Failure('not_found')
    const { first, last } = acceptedSteps(clock.now())
    const now = first + 1
    const unused = Math.max(now, (totp.lastStep ?? 0) + 1)
    const step = unused <= last ? unused : now
    return {
      code: codeOfStep(open(totp.secret, { key, owner: totp.owner }), step),
      valid_until: formatInstant(new Date((step + 1) * TOTP_STEP_SECONDS * 1000)),
      is_used: unused > last,
    }
  },
}

/** The sealed secret of a user or of a member of staff, with the half minute of the last accepted code. */
async function findTotp(db: DbReader, email: string) {
  const ofUser = await findTotpByEmail(db, email)
  if (ofUser) return { ...ofUser, owner: String(ofUser.userId) }
  const member = await findByEmail(db, email)
  return member?.totpSecret ? { secret: member.totpSecret, lastStep: member.totpStep, owner: ownerOfSecret(member) } : undefined
}

import { MINUTE_MS } from '#contracts/rules/time.ts'
import {
  type serialChecks as contract,
  SERIAL_ATTEMPTS,
  SERIAL_PROOF_MINUTES,
  type SerialCheck,
} from '#contracts/trackers/serial-checks.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { requireNotLostOrStolen } from '#server/lib/lost-and-stolen.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { guessSerial, lockGuesses } from './guess-serial.ts'
import { findActualSerial, findTrackerByNumbers } from './numbers.store.ts'
import { parseIdentifier, parseSerial } from './numbers.ts'
import { readAttempts, readFewestAttempts, restoreAttempts, saveProof } from './serial-checks.store.ts'

/**
 * A user who holds a tracker can read its serial inside it. Few attempts of each account prevent guessing, and a lock concerns only the account
 * that has guessed.
 */
export const serialChecks: Handlers<typeof contract> = {
  async read({ query }, { db, clock, viewer }) {
    const now = clock.now()
    const identifier = parseIdentifier(query.identifier)
    await getTrackerOnAccount(db.read, identifier)
    if (viewer.role === 'deepsupport') return presentCheck(identifier, await readFewestAttempts(db.read, identifier, now))
    return presentCheck(identifier, (await readAttempts(db.read, { identifier, accountId: viewer.accountId, now })).remaining)
  },
  async check({ body }, { db, clock, ids, viewer }) {
    const identifier = parseIdentifier(body.identifier)
    const serial = parseSerial(body.serial)
    const proof = ids.token()
    const now = clock.now()
    const { accountId, userId } = viewer
    const { isRight, remaining } = await writeDevices(db, lockGuesses(identifier, accountId), async (tx) => {
      const device = await getTrackerOnAccount(tx, identifier)
      const guess = { identifier, accountId, serial, now }
      const guessed = await guessSerial(tx, guess, await findActualSerial(tx, device))
      if (guessed.isRight) await requireNotLostOrStolen(tx, device)
      const proofExpiresAt = new Date(now.getTime() + SERIAL_PROOF_MINUTES * MINUTE_MS)
      if (guessed.isRight) await saveProof(tx, identifier, { proofHash: sha256(proof), proofExpiresAt, proofUserId: userId })
      return guessed
    })
    if (isRight) return { verified: true, serial_proof: proof }
    throw new Failure(remaining === 0 ? 'serial_locked' : 'serial_mismatch', { remaining_attempts: remaining })
  },
  async unlock({ body }, { db }) {
    const identifier = parseIdentifier(body.identifier)
    await writeDevices(db, [`serial:${identifier}`], async (tx) => {
      await getTrackerOnAccount(tx, identifier)
      await restoreAttempts(tx, identifier)
    })
    return presentCheck(identifier, SERIAL_ATTEMPTS)
  },
}

const presentCheck = (identifier: string, remaining: number): SerialCheck => ({
  identifier,
  remaining_attempts: remaining,
  locked: remaining === 0,
})

/** Returns the tracker on any account. Throws `unknown_tracker`, also for a free one, which needs no check. */
async function getTrackerOnAccount(db: DbReader, identifier: string) {
  const device = await findTrackerByNumbers(db, { identifier })
  if (!device) throw new Failure('unknown_tracker')
  return device
}

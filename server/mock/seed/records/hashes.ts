import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** Hashes a random secret as it is stored: e-mail keys and device keys. */
export const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Hashes a password with a salt that depends on the seed, so that the same seed gives the same bytes. Never for a real account. */
export const seededPasswordHash = (password: string, seed: number) =>
  hash(password, { salt: createHash('sha256').update(`salt:${seed}`).digest().subarray(0, 16) })

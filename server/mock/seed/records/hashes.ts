import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** How random secrets are stored: keys of e-mails, keys of devices. */
export const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** argon2id with a salt of the seed: the same seed stores the same hash. Never for a real account. */
export const seededPasswordHash = (password: string, seed: number) =>
  hash(password, { salt: createHash('sha256').update(`salt:${seed}`).digest().subarray(0, 16) })

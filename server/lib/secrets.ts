import { createCipheriv, createDecipheriv, hash as digest, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { normalizePassword } from '#contracts/rules/reading/text.ts'

/** For random secrets (tokens, e-mail keys, device keys): they need no salt, they only must not be readable in a stolen file. */
export const sha256 = (secret: string) => digest('sha256', secret, 'hex')

/** argon2id, 19 MiB, two passes. */
export const hashPassword = (password: string) => hash(normalizePassword(password))

/** A hash that no password has; verifying against it takes as long as against a real one. */
const HASH_OF_UNKNOWN = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$4p2oY3b5F5dT4cV8kS2p0rQdC9m5yq1xw8wqk7jv0aE'

/**
 * Takes as long for an unknown account as for a known one, so that the time doesn't reveal which accounts exist. Old hashes are of the
 * password as typed: with accents composed or not.
 */
export async function matchesPassword(password: string, passwordHash: string | null) {
  let matches = false
  for (const spelling of new Set([normalizePassword(password), password, password.normalize('NFC'), password.normalize('NFD')]))
    matches ||= await verify(passwordHash ?? HASH_OF_UNKNOWN, spelling).catch(() => false)
  return passwordHash !== null && matches
}

/** Compares two secrets in constant time. */
export const isSameSecret = (a: string, b: string) => timingSafeEqual(digest('sha256', a, 'buffer'), digest('sha256', b, 'buffer'))

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** A text encrypted and authenticated for one owner, so that the row of one user cannot be copied to another. */
type Sealed = { key: Uint8Array; owner: string }

/** Encrypts with AES-256-GCM. `iv` (24 hex digits) must never repeat with the same key. */
export function seal(text: string, { key, owner, iv }: Sealed & { iv: string }) {
  const nonce = Buffer.from(iv, 'hex')
  if (nonce.length !== IV_BYTES) throw new Error('The IV must have 12 bytes')
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')
}

/** Decrypts what `seal` returned. Throws for another key, another owner or a changed text. */
export function open(sealed: string, { key, owner }: Sealed) {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

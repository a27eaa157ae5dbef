import { createCipheriv, createDecipheriv } from 'node:crypto'

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

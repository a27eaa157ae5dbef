import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** A browser as a push service sees it: the subscription that it sends to the portal, and the key that decrypts what comes back (RFC 8291). */
export function createPushReceiver(endpoint: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const secret = randomBytes(16)
  const subscription = {
    endpoint,
    keys: { p256dh: pair.getPublicKey().toString('base64url'), auth: secret.toString('base64url') },
  }
  /** `body` of the request to the push service, in base64: salt, record size, the sender's key, and one record. Returns the text. */
  function decrypt(body: string) {
    const bytes = Buffer.from(body, 'base64')
    const salt = bytes.subarray(0, 16)
    const keyEnd = 21 + bytes.readUInt8(20)
    const senderKey = bytes.subarray(21, keyEnd)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey])
    const input = expand(pair.computeSecret(senderKey), secret, info, 32)
    const key = expand(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = expand(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(bytes.subarray(-16))
    const padded = Buffer.concat([decipher.update(bytes.subarray(keyEnd, -16)), decipher.final()])
    // The last record ends with the byte 2 and any number of zeros.
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
  }
  return { subscription, decrypt }
}

const expand = (key: Buffer, salt: Buffer, info: Buffer, length: number) => Buffer.from(hkdfSync('sha256', key, salt, info, length))

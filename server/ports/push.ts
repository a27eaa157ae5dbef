import { createCipheriv, createECDH, createPrivateKey, type ECDH, hkdfSync, randomBytes, sign } from 'node:crypto'
import { HOUR_MS } from '#contracts/rules/time.ts'

export type PushTarget = { endpoint: string; p256dh: string; auth: string }

/** `gone`: the browser has unsubscribed; `refused`: retrying would not help. */
export type PushResult = 'sent' | 'gone' | 'refused' | 'failed'

type PushMessage = { target: PushTarget; payload: string; now: Date; secondsToLive: number; isUrgent: boolean }

/** The push services of browsers. */
export type Push = {
  publicKey: string
  /** Whether notifications may be sent to this address. */
  isAllowed(endpoint: string): boolean
  send(message: PushMessage): Promise<PushResult>
}

const CURVE = 'prime256v1'
const TIMEOUT_MS = 10_000

type Options = {
  /** Private key of the server for push services (VAPID): 32 bytes. */
  key: Uint8Array
  /** Contact for the operators of push services. */
  contact: string
  /** Hosts of push services; `*.` stands for any subdomain. */
  services: readonly string[]
  fetch?: typeof globalThis.fetch
}

/** Sends notifications as RFC 8030 says, encrypted (RFC 8291) and signed (RFC 8292). */
export function createPush({ key, contact, services, fetch = globalThis.fetch }: Options): Push {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(key)
  const publicKey = pair.getPublicKey().toString('base64url')
  const signer = toSigningKey(pair)
  const isAllowed = (endpoint: string) => isAllowedEndpoint(endpoint, services)
  return {
    publicKey,
    isAllowed,
    async send({ target, payload, now, secondsToLive, isUrgent }) {
      if (!isAllowed(target.endpoint)) return 'gone'
      const claims = {
        aud: new URL(target.endpoint).origin,
        exp: Math.floor((now.getTime() + 12 * HOUR_MS) / 1000),
        sub: `mailto:${contact}`,
      }
      const headers = {
        authorization: `vapid t=${signToken(claims, signer)}, k=${publicKey}`,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(secondsToLive),
        urgency: isUrgent ? 'high' : 'normal',
      }
      try {
        const body = new Uint8Array(encryptPush(payload, target))
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        const response = await fetch(target.endpoint, { method: 'POST', redirect: 'error', signal, headers, body })
        await response.body?.cancel()
        return classify(response.status)
      } catch {
        return 'failed'
      }
    },
  }
}

function classify(status: number): PushResult {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'failed' : 'refused'
}

/** An endpoint comes from a browser, so it could name any machine; only known push services are called. */
export function isAllowedEndpoint(endpoint: string, services: readonly string[]) {
  if (!URL.canParse(endpoint)) return false
  const { protocol, host, username, password } = new URL(endpoint)
  const isKnown = services.some((service) => (service.startsWith('*.') ? host.endsWith(service.slice(1)) : host === service))
  return isKnown && protocol === 'https:' && username === '' && password === ''
}

function toSigningKey(pair: ECDH) {
  const point = pair.getPublicKey()
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), pair.getPrivateKey()].map((bytes) => bytes.toString('base64url'))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: d! }, format: 'jwk' })
}

function signToken(claims: object, key: ReturnType<typeof createPrivateKey>) {
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const RECORD_SIZE = 4096

type Chance = { salt: Buffer; privateKey?: Buffer }

/** Encrypts a message for one browser. Throws when its key is not a point of the curve. */
export function encryptPush(text: string, { p256dh, auth }: Omit<PushTarget, 'endpoint'>, chance: Chance = { salt: randomBytes(16) }) {
  const { salt, privateKey } = chance
  const own = createECDH(CURVE)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_SIZE)
  head.writeUInt8(ours.length, 4)
  // The byte 2 ends the last record.
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, head, ours, ...sealed])
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) => Buffer.from(hkdfSync('sha256', secret, salt, info, length))

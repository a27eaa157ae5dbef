import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

const PKCS8_HEAD = '302e020100300506032b657004220420'
const COSE_HEAD = 'a4010103272006215820'
const USER_PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64 = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** Parts of a response that a test may change. */
type Response = { signs: string; origin?: string; counter?: number; flags?: number }

/** A software authenticator with one passkey. Its Ed25519 signatures are the same each time. */
export function createAuthenticator(keyByte: number, credentialId: string) {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), Buffer.alloc(32, keyByte)]),
    format: 'der',
    type: 'pkcs8',
  })
  const x = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
  const publicKey = Buffer.concat([Buffer.from(COSE_HEAD, 'hex'), x])
  const head = { id: credentialId, rawId: credentialId, type: 'public-key' as const, clientExtensionResults: {} }

  const clientData = (type: string, { signs, origin = 'http://portal.test' }: Response) =>
    JSON.stringify({ type, challenge: signs, origin, crossOrigin: false })

  function authenticatorData({ counter = 0, flags = USER_PRESENT_AND_VERIFIED, origin = 'http://portal.test' }: Response, more = 0) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags | more]), count])
  }

  return {
    publicKey: base64(publicKey),
    /** Signs in. */
    assert(response: Response) {
      const [client, data] = [clientData('webauthn.get', response), authenticatorData(response)]
      const signature = sign(null, Buffer.concat([data, sha256(client)]), key)
      return {
        ...head,
        response: { clientDataJSON: base64(client), authenticatorData: base64(data), signature: base64(signature) },
      }
    },
    /** Registers. */
    attest(response: Response) {
      const id = Buffer.from(credentialId, 'base64url')
      const length = Buffer.from([0, id.length])
      const data = Buffer.concat([authenticatorData(response, HAS_CREDENTIAL), Buffer.alloc(16), length, id, publicKey])
      // CBOR of { fmt: 'none', attStmt: {}, authData: data }.
      const object = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return {
        ...head,
        response: {
          clientDataJSON: base64(clientData('webauthn.create', response)),
          attestationObject: base64(object),
          transports: ['usb'],
        },
      }
    },
  }
}

/** The passkey that is seeded for Tom Taken. */
export const seededAuthenticator = createAuthenticator(1, 'c2VlZGVkIHBhc3NrZXk')

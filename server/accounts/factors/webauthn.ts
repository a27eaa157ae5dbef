import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '#contracts/accounts/second-factor.ts'
import type { PasskeyRow } from './factors.store.ts'

/** Passkeys belong to the host name of the portal. */
type Portal = { origin: string; productName: string }

const readHost = (origin: string) => new URL(origin).hostname
const TIMEOUT_MS = 300_000
/** EdDSA, ES256 and RS256: the algorithms of current authenticators. */
const ALGORITHMS = [-8, -7, -257]

const presentCredential = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  type: 'public-key' as const,
  ...(transports && { transports }),
})

/** The options to request one of the given passkeys, or any passkey of this portal if none are given. */
export const createRequestOptions = ({ origin }: Portal, challenge: string, passkeys?: PasskeyRow[]): RequestOptions => ({
  challenge,
  rpId: readHost(origin),
  timeout: TIMEOUT_MS,
  userVerification: 'required',
  ...(passkeys && { allowCredentials: passkeys.map(presentCredential) }),
})

type Owner = { id: number; email: string; firstName: string; lastName: string }

/** The options to create a passkey that suffices to sign in: it is found without a user name and verifies its user. */
export const createCreationOptions = (
  { origin, productName }: Portal,
  challenge: string,
  { owner, passkeys }: { owner: Owner; passkeys: PasskeyRow[] },
): CreationOptions => ({
  rp: { id: readHost(origin), name: productName },
  user: {
    id: Buffer.from(`user:${owner.id}`).toString('base64url'),
    name: owner.email,
    displayName: `${owner.firstName} ${owner.lastName}`,
  },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: TIMEOUT_MS,
  excludeCredentials: passkeys.map(presentCredential),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

/** Returns the new counter of the passkey, or undefined when the signature, origin or challenge is wrong or the counter did not grow. */
export async function verifyAssertion(
  { origin }: Portal,
  passkey: PasskeyRow,
  { signs, response }: { signs: string; response: Assertion },
) {
  const { credentialId, publicKey, counter } = passkey
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: signs,
    expectedOrigin: origin,
    expectedRPID: readHost(origin),
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

/** Returns the fields to store for a new passkey, or undefined when the response does not match a challenge of this portal. */
export async function verifyAttestation({ origin }: Portal, { signs, response }: { signs: string; response: Attestation }) {
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: signs,
    expectedOrigin: origin,
    expectedRPID: readHost(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: response.response.transports ?? null,
  }
}

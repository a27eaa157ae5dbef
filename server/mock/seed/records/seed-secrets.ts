import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { LRUCache } from 'lru-cache'

/** Plain keys of the seeded e-mails, as in their links; the database contains their hashes. */
export const SEED_KEYS = {
  /** Confirms chloe's address. */
  confirmValid: '5eed0000-0000-4000-8000-000000000101',
  confirmExpired: '5eed0000-0000-4000-8000-000000000102',
  /** Key of alice's confirmation, used long ago. */
  confirmUsed: '5eed0000-0000-4000-8000-000000000103',
  /** Changes george's address to `george.new@example.com`. */
  changeValid: '5eed0000-0000-4000-8000-000000000104',
  changeExpired: '5eed0000-0000-4000-8000-000000000105',
  /** Resets zoe's password. */
  resetValid: '5eed0000-0000-4000-8000-000000000106',
  resetExpired: '5eed0000-0000-4000-8000-000000000107',
  /** Invites a member to the pro team. */
  invitation: '5eed0000-0000-4000-8000-000000000108',
} as const

/** Authenticates devices and gateways (`X-Device-Key`). */
export const DEVICE_KEY = 'demo-device-key'

/** The token of alice's session on a phone. */
export const PHONE_SESSION = '5eed000000000000000000000000000000000201'

/** Opens the portal as alice, with the rights of that session. */
export const HAND_OFF = 'hand_5eed000000000000000000000000000000000401'

/** An API token of alice that reads trackers and positions. */
export const API_TOKEN = 'wat_5eed000000000000000000000000000000000301'

/** Verification codes by their effect. */
export const CODES = { valid: 'LINK2026', used: 'LINKUSED', withoutSubscription: 'NOSUB000' } as const

/** Public links by what they show; `unknown` does not exist. */
export const LINKS = {
  fromBeginning: '5eed0000-0000-4000-8000-000000000001',
  expired: '5eed0000-0000-4000-8000-000000000002',
  permanent: '5eed0000-0000-4000-8000-000000000003',
  lastPoint: '5eed0000-0000-4000-8000-000000000004',
  after2100: '5eed0000-0000-4000-8000-000000000005',
  empty: '5eed0000-0000-4000-8000-000000000006',
  zoeDay: '5eed0000-0000-4000-8000-000000000007',
  zoePermanent: '5eed0000-0000-4000-8000-000000000008',
  proRound: '5eed0000-0000-4000-8000-000000000009',
  onTheWay: '5eed0000-0000-4000-8000-000000000010',
  unknown: '5eed0000-0000-4000-8000-0000000000ff',
} as const

/** Hashes a random secret as it is stored: e-mail keys and device keys. */
export const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** The newest hashes: an import of a small world spends half its time on one. */
const hashes = new LRUCache<string, Promise<string>>({ max: 10 })

/** Hashes a password with a salt that depends on the seed, so that the same seed gives the same bytes. Never for a real account. */
export function seededPasswordHash(password: string, seed: number): Promise<string> {
  const key = `${seed} ${password}`
  const known = hashes.get(key) ?? hash(password, { salt: createHash('sha256').update(`salt:${seed}`).digest().subarray(0, 16) })
  hashes.set(key, known)
  return known
}

/** A channel of Chloe, which starts with this code. */
export const SEED_CHANNEL = { id: 1, code: '471147' } as const

/** Signs the requests to the webhook of the scenario `alarms`. */
export const SEED_WEBHOOK_SECRET = 'whsec_c2VlZGVkIHdlYmhvb2sgc2VjcmV0'

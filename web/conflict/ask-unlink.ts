import type { UnlinkRequest } from '#contracts/conflicts.ts'
import { calls } from './conflict.calls.ts'
import type { Conflict } from './saved-conflict.ts'

type Proof = Pick<UnlinkRequest, 'purchase_date' | 'purchase_place' | 'order_reference' | 'serial_proof'>

/** Result of an unlink request and the address to which the answer is mailed. */
export type Asked = { reference: string; status: 'pending' | 'accepted'; email: string }

/**
 * Sends an unlink request with its proof. Sends only one of the tracker's numbers, since both would count as an attempt to guess the S/N.
 */
export async function askUnlink(
  { identifier, serial }: Conflict,
  request: NonNullable<Conflict['request']>,
  proof: Proof = {},
): Promise<Asked> {
  const number = identifier ? { identifier } : { serial }
  const answer = await calls.requestUnlink({ body: { ...number, ...request, ...proof } })
  return { ...answer, email: request.email }
}

import type { UnlinkRequest } from '#contracts/conflicts.ts'
import { calls } from './conflict.calls.ts'
import type { Conflict } from './saved-conflict.ts'

type Proof = Pick<UnlinkRequest, 'purchase_date' | 'purchase_place' | 'order_reference' | 'serial_proof'>

/** What became of a request, and where the answer goes. */
export type Asked = { reference: string; status: 'pending' | 'accepted'; email: string }

/** Sends the request as far as it is written, with what proves it. The tracker goes by one of its numbers: two would be a try at the S/N. */
export async function askUnlink(
  { identifier, serial }: Conflict,
  request: NonNullable<Conflict['request']>,
  proof: Proof = {},
): Promise<Asked> {
  const number = identifier ? { identifier } : { serial }
  const answer = await calls.requestUnlink({ body: { ...number, ...request, ...proof } })
  return { ...answer, email: request.email }
}

import type { Clock } from '#server/lib/clock.ts'
import type { Ids } from '#server/lib/ids.ts'
import { createPayments, type Payments } from '#server/lib/payments.ts'

export type StripeFake = { payments: Payments }

type Options = { clock: Clock; ids: Ids; origin: string }

/** A card provider of this world's own, in process: the official SDK talks to it without a socket. */
export function createStripeFake(_: Options): StripeFake {
  return {
    payments: createPayments({
      secretKey: 'sk_test_fake',
      publicKey: 'pk_test_fake',
      webhookSecret: 'whsec_fake',
      fetch: async () => Response.json({ error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } }, { status: 404 }),
    }),
  }
}

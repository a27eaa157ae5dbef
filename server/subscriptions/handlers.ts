import type { subscriptions as contract } from '#contracts/subscriptions.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'

const pending = () => {
  throw new Failure('unavailable')
}

export const subscriptions: Handlers<typeof contract> = {
  linkByCode: pending,
  prices: pending,
  pay: pending,
  billingPortal: pending,
}

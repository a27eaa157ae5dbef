import { Failure, PAYMENTS_FAILED } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'

type PaymentContext = Pick<ViewerContext, 'payments'>
type Handle = (input: never, context: never) => unknown

/**
 * Gives handlers a Stripe that responds within the time that a user waits, with one retry. Throws `unavailable` when it takes longer, such
 * as behind a sync of the same customer.
 */
export function answerInTime<Handlers extends Record<string, Handle>>(handlers: Handlers): Handlers {
  const limited = Object.entries(handlers).map(([name, handle]) => [
    name,
    (input: never, context: PaymentContext) => runInTime(handle, input, context),
  ])
  return Object.fromEntries(limited) as Handlers
}

async function runInTime(handle: Handle, input: never, context: PaymentContext) {
  const { payments } = context
  const deadline = AbortSignal.timeout(payments.patienceMs)
  let stripe: typeof payments.stripe | undefined
  const limited = {
    ...payments,
    get stripe() {
      stripe ??= payments.connectUntil(deadline)
      return stripe
    },
  }
  const late = new Promise<never>((_, reject) =>
    deadline.addEventListener('abort', () => reject(new Failure('unavailable', PAYMENTS_FAILED)), { once: true }),
  )
  return Promise.race([handle(input, { ...context, payments: limited } as never), late])
}

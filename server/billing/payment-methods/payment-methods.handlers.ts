import type { paymentMethods as contract, PaymentMethod } from '#contracts/billing/payment-methods.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import type { Fence } from '#db/db.ts'
import { answerInTime } from '#server/billing/access/answer-in-time.ts'
import { type CardRow, findCard, findCustomer, listCards, listRenewingDevices } from '#server/billing/records/payment-methods.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { makeCardDefault, readAndSaveCards } from '#server/billing/sync/provider-cards.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { isRefusal } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'

export const paymentMethods: Handlers<typeof contract> = answerInTime({
  async list(_, { db, viewer }) {
    return (await listCards(db.read, viewer.accountId)).map(presentCard)
  },

  change({ params }, context) {
    return withCard(context, params.id, async (card, customer, fence) => {
      await changeAtStripe(context, { customer, fence }, () => makeCardDefault(context.payments.stripe, customer, card.id))
      return presentCard(await getCard(context, card.id))
    })
  },

  remove({ params }, context) {
    return withCard(context, params.id, async (card, customer, fence) => {
      if (card.isDefault && (await hasRenewal(context))) throw new Failure('in_use')
      await changeAtStripe(context, { customer, fence }, () => context.payments.stripe.paymentMethods.detach(card.id))
      return { id: card.id }
    })
  },
})

/** Runs `work` on a card of the viewer's account, exclusively per customer. */
async function withCard<T>(
  context: ViewerContext,
  id: string,
  work: (card: CardRow, customer: string, fence: Fence) => Promise<T>,
): Promise<T> {
  const { db, viewer } = context
  const customer = await findCustomer(db.read, viewer.accountId)
  if (customer === null) throw new Failure('not_found')
  return runExclusive(db, customer, async (fence) => work(await getCard(context, id), customer, fence))
}

async function getCard({ db, viewer }: ViewerContext, id: string) {
  const card = await findCard(db.read, viewer.accountId, id)
  if (!card) throw new Failure('not_found')
  return card
}

/** Changes cards at Stripe and stores the result. Throws `not_found` for a card that Stripe no longer has. */
async function changeAtStripe(
  context: ViewerContext,
  { customer, fence }: { customer: string; fence: Fence },
  change: () => Promise<unknown>,
) {
  try {
    await change()
  } catch (error) {
    if (!isRefusal(error)) throw error
    await readAndSaveCards(context, customer, fence)
    throw new Failure('not_found', {}, { cause: error })
  }
  await readAndSaveCards(context, customer, fence)
}

/** Whether the account has a subscription that will renew. */
async function hasRenewal({ db, viewer, clock }: ViewerContext) {
  const now = clock.now()
  const devices = await listRenewingDevices(db.read, viewer.accountId)
  return devices.some(({ subState, subEndDate }) => currentSubState(subState, subEndDate, now) === 'active')
}

const presentCard = (card: CardRow): PaymentMethod => ({
  id: card.id,
  type: 'card',
  brand: card.brand,
  last4: card.last4,
  exp_month: card.expMonth,
  exp_year: card.expYear,
  is_default: card.isDefault,
})

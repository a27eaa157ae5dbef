import { subscriptions as contract } from '#contracts/billing/subscriptions.ts'
import { connect } from '#contracts/mock/connect.ts'
import { CARDS, type Webhooks } from '#contracts/mock/payments.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, choice, form, group, line, note, optionsOf, rows } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

const RENEWALS = CARDS.filter((card) => card !== 'renewal_fails')
const MODES = ['auto', 'manual', 'off'] as const
const MAX_SHOWN = 20

export const payments: Tab = {
  id: 'payments',
  title: 'Payments',
  async show(context) {
    const events = element('div')
    const draw = async () => events.replaceChildren(rows(await eventRows(context), 'The provider has no events yet.'))
    const [checkouts, held, webhooks] = await Promise.all([listCheckouts(), listOwnSubscriptions(), controlPlane.payments.webhooks()])
    const checkout = choice('Checkout', checkouts)
    const card = choice('Card', optionsOf(CARDS))
    const subscription = choice('Subscription', held)
    const outcome = choice('Outcome', optionsOf(RENEWALS))
    const mode = choice('Webhook', optionsOf(MODES), webhooks.mode)

    context.on('webhook', () => void draw())
    context.fill(
      group(
        'Complete a checkout',
        ...(checkouts.length === 0
          ? [note('Begin one in the portal, then come back: its id is taken from the journal.')]
          : [form(context, 'Pay', [checkout, card], () => pay(context, checkout.read(), card.read()))]),
      ),
      group(
        'Renew a subscription',
        ...(held.length === 0
          ? [note('The signed-in user has no subscriptions.')]
          : [
              form(context, 'Renew', [subscription, outcome], () =>
                renew(context, subscription.read(), outcome.read() as (typeof RENEWALS)[number]),
              ),
            ]),
      ),
      group(
        'Webhook events',
        form(context, 'Set', [mode], async () => {
          const set = await controlPlane.payments.setWebhooks({ body: { mode: mode.read() as Webhooks['mode'] } })
          return `The webhook is told: ${set.mode}`
        }),
        line(
          button(context, 'Deliver what waits', async () => {
            const { length } = await controlPlane.payments.flush()
            await draw()
            return `${length} events delivered`
          }),
        ),
        events,
      ),
    )
    await draw()
  },
}

async function listCheckouts() {
  const calls = await controlPlane.requests.find({ body: { route: 'subscriptions.pay', status: 200 } })
  return calls.map(({ at, user, response }) => [(JSON.parse(response.body) as { id: string }).id, `${user}, ${at}`] as const)
}

/** Lists the subscriptions of the user signed in to the portal. The request is made with the portal's token and appears in the journal. */
async function listOwnSubscriptions() {
  const token = localStorage.getItem('token')
  if (!token) return []
  const mine = connect({ contract }, { base: location.origin, token }).contract
  const [held, { trackers }] = await Promise.all([mine.list().catch(() => []), controlPlane.sim.read()])
  const nameOf = (device: number) => trackers.find(({ id }) => id === device)?.name ?? `tracker ${device}`
  return held
    .filter(({ type }) => type === 'recurring')
    .map(({ id, device, sub_end_date: end }) => [String(id), `${nameOf(device)}, until ${end?.slice(0, 10) ?? 'further notice'}`] as const)
}

async function pay(context: TabContext, id: string, card: string) {
  const { outcome, fault } = await controlPlane.payments.complete({ params: { id }, body: { card } })
  context.reload(`The checkout was ${outcome}${fault ? `: ${fault}` : ''}`)
}

async function renew(context: TabContext, id: string, outcome: (typeof RENEWALS)[number]) {
  const renewed = await controlPlane.payments.renew({ params: { id }, body: { outcome } })
  context.reload(`The renewal was ${renewed.outcome}${renewed.fault ? `: ${renewed.fault}` : ''}, the subscription is ${renewed.status}`)
}

const eventRows = async (context: TabContext) =>
  (await controlPlane.payments.events()).slice(0, MAX_SHOWN).map(({ id, type, created, state }) => [
    element('span', { class: 'two' }, element('strong', {}, type), element('span', {}, created)),
    badge(state, state === 'delivered' ? 'pass' : state === 'waiting' ? 'drift' : 'fail'),
    button(
      context,
      'Deliver',
      async () => `The webhook is told again: ${(await controlPlane.payments.deliver({ params: { id } })).state}`,
      {
        'aria-label': `Deliver ${type} ${id}`,
      },
    ),
  ])

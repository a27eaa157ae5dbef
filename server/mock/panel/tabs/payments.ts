import { connect } from '#contracts/mock/connect.ts'
import { CARDS, type Webhooks } from '#contracts/mock/payments.ts'
import { subscriptions as contract } from '#contracts/subscriptions.ts'
import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { badge, button, choice, form, group, line, note, rows, same } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'

const RENEWALS = CARDS.filter((card) => card !== 'renewal_fails')
const MODES = ['auto', 'manual', 'off'] as const
const SHOWN = 20

export const payments: Tab = {
  id: 'payments',
  title: 'Payments',
  async show(desk) {
    const events = element('div')
    const draw = async () => events.replaceChildren(rows(await eventRows(desk), 'Nothing has happened at the provider.'))
    const [checkouts, held, webhooks] = await Promise.all([begun(), subscriptionsOfMine(), server.payments.webhooks()])
    const checkout = choice('Checkout', checkouts)
    const card = choice('Card', same(CARDS))
    const subscription = choice('Subscription', held)
    const outcome = choice('Outcome', same(RENEWALS))
    const mode = choice('Webhook', same(MODES), webhooks.mode)

    desk.hear('webhook', () => void draw())
    desk.fill(
      group(
        'Complete a checkout',
        ...(checkouts.length === 0
          ? [note('Begin one in the portal, then come back here: the newest calls of the world know its id.')]
          : [form(desk, 'Pay', [checkout, card], () => pay(desk, checkout.read(), card.read()))]),
      ),
      group(
        'Renew a subscription',
        ...(held.length === 0
          ? [note('Nobody who has subscriptions is signed in.')]
          : [
              form(desk, 'Renew', [subscription, outcome], () =>
                renew(desk, subscription.read(), outcome.read() as (typeof RENEWALS)[number]),
              ),
            ]),
      ),
      group(
        'What the portal’s server is told',
        form(desk, 'Set', [mode], async () => {
          const set = await server.payments.setWebhooks({ body: { mode: mode.read() as Webhooks['mode'] } })
          return `The webhook is told: ${set.mode}`
        }),
        line(
          button(desk, 'Deliver what waits', async () => {
            const { length } = await server.payments.flush()
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

/** Lists the checkouts begun in this world, from the journal. */
async function begun() {
  const calls = await server.requests.find({ body: { route: 'subscriptions.pay', status: 200 } })
  return calls.map(({ at, user, response }) => [(JSON.parse(response.body) as { id: string }).id, `${user}, ${at}`] as const)
}

/** Lists the subscriptions of the user signed in to the portal. The request is made with the portal's token and appears in the journal. */
async function subscriptionsOfMine() {
  const token = localStorage.getItem('token')
  if (!token) return []
  const mine = connect({ contract }, { base: location.origin, token }).contract
  const [held, { trackers }] = await Promise.all([mine.list().catch(() => []), server.sim.read()])
  const nameOf = (device: number) => trackers.find(({ id }) => id === device)?.name ?? `tracker ${device}`
  return held
    .filter(({ type }) => type === 'recurring')
    .map(({ id, device, sub_end_date: end }) => [String(id), `${nameOf(device)}, until ${end?.slice(0, 10) ?? 'further notice'}`] as const)
}

async function pay(desk: Desk, id: string, card: string) {
  const { outcome, fault } = await server.payments.complete({ params: { id }, body: { card } })
  desk.reload(`The checkout was ${outcome}${fault ? `: ${fault}` : ''}`)
}

async function renew(desk: Desk, id: string, outcome: (typeof RENEWALS)[number]) {
  const renewed = await server.payments.renew({ params: { id }, body: { outcome } })
  desk.reload(`The renewal was ${renewed.outcome}${renewed.fault ? `: ${renewed.fault}` : ''}, the subscription is ${renewed.status}`)
}

const eventRows = async (desk: Desk) =>
  (await server.payments.events()).slice(0, SHOWN).map(({ id, type, created, state }) => [
    element('span', { class: 'two' }, element('strong', {}, type), element('span', {}, created)),
    badge(state, state === 'delivered' ? 'pass' : state === 'waiting' ? 'drift' : 'fail'),
    button(desk, 'Deliver', async () => `The webhook is told again: ${(await server.payments.deliver({ params: { id } })).state}`, {
      'aria-label': `Deliver ${type} ${id}`,
    }),
  ])

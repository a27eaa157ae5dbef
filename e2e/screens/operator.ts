import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { press, type Screen } from './screen.ts'

/** A screen of the console, by default seen by the administrator, who has all rights. */
const console = (screen: string, more: Partial<Screen> = {}): Screen => ({
  name: 'operator',
  path: `/operator${screen === 'today' ? '' : `/${screen}`}`,
  staff: 'manager',
  title: `operator.screens.${screen}`,
  ...more,
  state: `${screen}${more.state ? `-${more.state}` : ''}`,
})
/** The same screen with the details of something next to its list. */
const opened = (screen: string, query: string): Screen =>
  console(screen, { path: `/operator/${screen}?${query}`, state: 'details', ready: 'main aside dl, aside dl' })
const ROW = 'main table tbody tr'

export const operator: Screen[] = [
  console('today'),
  console('customers'),
  console('customers', { path: '/operator/customers?q=alice', state: 'found' }),
  console('customers', { path: '/operator/customers?q=nobody@nowhere', state: 'none' }),
  console('customers', { path: `/operator/customers/1`, state: 'one' }),
  console('trackers', { ready: ROW }),
  console('stock', { ready: ROW }),
  opened('stock', 'item=90000000-01'),
  console('stock', { state: 'import', act: press('operator.stock.import', 'body') }),
  console('codes'),
  console('codes', { state: 'make', act: press('operator.codes.make', 'body') }),
  console('gateways'),
  console('orders', { ready: ROW }),
  opened('orders', `order=${SEED.orders.inProgress}`),
  console('invoices', { ready: ROW }),
  opened('invoices', `invoice=${SEED.invoices.aliceFirst}`),
  console('withdrawals'),
  console('prices', { ready: ROW }),
  opened('prices', 'price=eur-12m'),
  console('prices', { path: '/operator/prices?view=history', state: 'history' }),
  console('requests'),
  console('claims'),
  console('announcements'),
  console('announcements', { state: 'new', act: press('operator.announcements.make', 'body') }),
  console('staff', { ready: ROW }),
  console('staff', { state: 'add', act: press('operator.staff.add', 'body') }),
  console('log'),
  console('stock', { state: 'clerk', staff: 'clerk', ready: ROW }),
  console('log', { state: 'forbidden', staff: 'helper' }),
]

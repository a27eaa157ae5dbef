import type { Row } from '#scripts/contracts/client/backend.ts'
import { type Endpoint, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { isSuccess } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { Unreachable } from '#scripts/contracts/client/send.ts'
import type { Feature } from './features.ts'
import { listRaw } from './own-names.ts'
import { findInputs, listPlans } from './reads.ts'
import { createRouteProbe, type RouteProbe } from './route-probe.ts'

export const ABILITY_STATES = ['yes', 'with loss', 'no', 'not tested'] as const
/** A task that a user can do in the portal with this backend, or the reason why not. */
export type Ability = { name: string; state: (typeof ABILITY_STATES)[number]; reason: string }

type Judged = Omit<Ability, 'name'>
type Facts = { run: Run; probe: RouteProbe; find(feature: string): Feature }

/** Derives what a user can do from read-only findings. */
export async function listAbilities(run: Run, features: readonly Feature[]): Promise<Ability[]> {
  const facts: Facts = { run, probe: createRouteProbe(run), find: (name) => features.find((one) => one.name === name)! }
  const seen = await judgeOrSkip(judgeSeeing, facts)
  const judged: [string, Judged][] = [['see', seen]]
  judged.push(['follow', seen.state === 'no' || seen.state === 'not tested' ? seen : judgeFollowing(facts)])
  for (const [name, judge] of Object.entries({ buy: judgeBuying, share: judgeSharing, link: judgeLinking }))
    judged.push([name, await judgeOrSkip(judge, facts)])
  judged.push(['report', judgeReporting(facts)])
  judged.push(['erase', await judgeOrSkip(judgeErasing, facts)])
  return judged.map(([name, one]) => ({ name, ...one }))
}

async function judgeOrSkip(judge: (facts: Facts) => Promise<Judged>, facts: Facts): Promise<Judged> {
  try {
    return await judge(facts)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { state: 'not tested', reason: error.message }
  }
}

async function judgeSeeing({ run: { backend, trackerNames } }: Facts): Promise<Judged> {
  const response = await backend.read('devices.list')
  if (!isSuccess(response)) return { state: 'no', reason: `${response.status} GET /devices/` }
  const all = listRaw(response.body)
  if (all.length === 0) return { state: 'not tested', reason: 'this account has no trackers' }
  const rows = await backend.rows('devices.list')
  const { lost } = trackerNames
  if (rows.length === 0) return { state: 'no', reason: 'no tracker of the list can be read' }
  if (lost.includes('id') || lost.includes('position'))
    return { state: 'no', reason: `the ${lost.includes('id') ? 'id' : 'position'} of no tracker is found` }
  const placed = rows.filter(({ tracker_status }) => (tracker_status as Row).last_position !== null).length
  const counts = `${rows.length} ${rows.length === 1 ? 'tracker' : 'trackers'}, ${placed} with a position`
  return lost.length > 0 ? { state: 'with loss', reason: `${counts}; not found: ${lost.join(', ')}` } : { state: 'yes', reason: counts }
}

function judgeFollowing({ find }: Facts): Judged {
  const losses = [
    find('live').state === 'missing' && 'the list is asked for every 30 seconds',
    find('history').state === 'missing' && 'the last position only, no history',
  ].filter((one) => one !== false)
  return losses.length > 0 ? { state: 'with loss', reason: losses.join('; ') } : { state: 'yes', reason: 'history, and changes at once' }
}

async function judgeBuying({ run: { backend }, probe, find }: Facts): Promise<Judged> {
  const prices = find('subscriptions')
  if (prices.state === 'missing') return { state: 'no', reason: prices.note }
  const response = await backend.read('subscriptions.prices')
  if (!isSuccess(response)) return { state: 'no', reason: `${response.status} GET /users/tracker_prices` }
  const plans = listPlans(await backend.rows('subscriptions.prices'))
  if (plans.length === 0)
    return { state: 'no', reason: `${listRaw(response.body).length} prices, of which none is a plan that can be read` }
  if ((await probe.hasRoute(getEndpoint('subscriptions.pay'))) === false) return { state: 'no', reason: 'no POST /users/payment_session/' }
  return { state: 'yes', reason: `${plans.length} ${plans.length === 1 ? 'plan' : 'plans'}; the payment was not tried` }
}

async function judgeSharing({ run, find }: Facts): Promise<Judged> {
  const links = find('links')
  if (links.state === 'missing') return { state: 'no', reason: links.note }
  let refusal = ''
  for (const link of await listLiveLinks(run)) {
    refusal = await findRefusal(run, link)
    if (refusal === '') return { state: 'yes', reason: 'a visitor can open a link' }
  }
  if (refusal === '') return { state: 'yes', reason: 'what a visitor sees was not tested, because no tracker has a link' }
  return { state: 'with loss', reason: `a link can be made, but a visitor cannot open it: ${refusal}` }
}

/** Some active links of the account, from the list of all links or else of some trackers. */
async function listLiveLinks({ backend, io }: Run): Promise<Row[]> {
  const inputs = await findInputs(backend, getEndpoint('links.listOf'))
  const found = await backend.rows('links.list')
  for (const input of typeof inputs === 'string' || found.length > 0 ? [] : inputs)
    found.push(...(await backend.rows('links.listOf', input)))
  return found.filter(({ end_date }) => typeof end_date !== 'string' || new Date(end_date) > io.now()).slice(0, TRIED_LINKS)
}

const TRIED_LINKS = 3

/**
 * Why a visitor cannot open a link as the portal does: by the call for it, or else by the list of trackers with its token; empty if it
 * works.
 */
async function findRefusal({ backend }: Run, link: Row): Promise<string> {
  const [token, uuid] = [String(link.token ?? link.uuid), String(link.uuid)]
  if (isSuccess(await backend.request(getEndpoint('links.read'), { params: { uuid } }, { token: null }))) return ''
  const list = await backend.request(getEndpoint('devices.list'), { query: { type: 'tracker' } }, { token })
  if (isSuccess(list) && listRaw(list.body).length > 0) return ''
  return `${list.status} GET /devices/ with its token${isSuccess(list) ? ', without a tracker' : ''}`
}

async function judgeRoute({ probe }: Facts, endpoint: Endpoint): Promise<Judged> {
  const call = `${endpoint.route.method} ${endpoint.route.path}`
  const found = await probe.hasRoute(endpoint)
  if (found === undefined) return { state: 'not tested', reason: `${call} cannot be told without changing something` }
  return found ? { state: 'yes', reason: `${call} is there, and was not tried` } : { state: 'no', reason: `no ${call}` }
}

const judgeLinking = (facts: Facts) => judgeRoute(facts, getEndpoint('subscriptions.linkByCode'))
const judgeErasing = (facts: Facts) => judgeRoute(facts, getEndpoint('users.erase'))

function judgeReporting({ find }: Facts): Judged {
  const [form, reports] = [find('theft'), find('theftReports')]
  if (form.state === 'missing' && reports.state === 'missing') return { state: 'no', reason: form.note }
  if (form.state === 'missing') return { state: 'with loss', reason: 'reports, but no form of the police' }
  return reports.state === 'missing'
    ? { state: 'with loss', reason: 'the form of the police; the portal keeps no reports' }
    : { state: 'yes', reason: 'the form of the police, and reports' }
}

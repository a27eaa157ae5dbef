import { randomUUID } from 'node:crypto'
import type { Row } from '#scripts/contracts/client/backend.ts'
import type { CleanUp } from '#scripts/contracts/client/clean-up.ts'
import { type Endpoint, getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import type { Options } from '#scripts/contracts/client/flags.ts'
import { CannotRun } from '#scripts/contracts/client/io.ts'
import { evaluateSuccess } from '#scripts/contracts/client/judge.ts'
import type { Run, Viewer } from '#scripts/contracts/client/run.ts'
import type { RequestInput } from '#scripts/contracts/port.ts'
import { isAllowed } from './reads.ts'
import { checkLifecycle } from './sample-objects.ts'

/** Throws unless the signed-in account is the one that the environment names as disposable. */
export function requireDisposable({ mayDestroy }: Options, viewer: Viewer | null, disposable: string | undefined) {
  if (!mayDestroy) return
  if (!disposable) throw new CannotRun('--allow-destructive: name the account to delete in CONTRACTS_DISPOSABLE')
  if (viewer?.email?.toLowerCase() !== disposable.toLowerCase())
    throw new CannotRun('--allow-destructive: the signed-in account is not the one in CONTRACTS_DISPOSABLE')
}

/** Returns the input for an endpoint, or the reason why it can't be called. */
type InputFinder = (run: Run) => Promise<RequestInput | string>

const findRow = async ({ backend }: Run, list: string, is: (row: Row) => boolean = () => true) => (await backend.rows(list)).find(is)
const needsMailedKey: InputFinder = async () => 'needs a key from a mail'
const wouldTouchOthers = async () => 'would affect another account'

/** The order matters: later entries remove what earlier ones need. */
const inputFinders: Record<string, InputFinder> = {
  'subscriptions.pay': async (run) => {
    const [device, price] = [await findRow(run, 'devices.list'), await findRow(run, 'subscriptions.prices', ({ type }) => type === 'plan')]
    return device && price ? { body: { items: [{ device: device.id, price: price.id }] } } : 'no tracker or no plan'
  },
  'devices.activate': async (run) => {
    const device = await findRow(run, 'devices.list', ({ tracker_status }) => (tracker_status as Row)?.sub_state === 'not_activated')
    return device ? { params: { id: device.id } } : 'no tracker to activate'
  },
  'paymentMethods.remove': async (run) => {
    const card = await findRow(run, 'paymentMethods.list', ({ is_default }) => is_default === false)
    return card ? { params: { id: card.id } } : 'no card other than the default one'
  },
  'invoices.pay': async (run) => {
    const invoice = await findRow(run, 'invoices.list', ({ status }) => status !== 'paid')
    return invoice ? { params: { id: invoice.id }, body: {} } : 'every invoice is paid'
  },
  'trackers.remove': async (run) => {
    const device = await findRow(run, 'devices.list')
    return device ? { params: { id: device.id } } : 'devices.list is empty'
  },
  'subscriptions.linkByCode': async () => 'needs a verification code',
  'trackers.add': async () => 'needs a tracker without an account',
  'phoneTrackers.add': async () => 'would use the included months of the account',
  'positions.ingest': async () => 'needs the key of a device',
  'serialChecks.check': wouldTouchOthers,
  'conflicts.requestUnlink': wouldTouchOthers,
  'team.invite': async () => 'would send a mail',
  'team.remove': wouldTouchOthers,
  'users.register': async () => 'would send a mail',
  'confirmations.confirmChange': needsMailedKey,
  'sessions.reset': needsMailedKey,
  'sessions.changePassword': async ({ options: { as } }) =>
    as && 'password' in as ? { body: { old_password: as.password, new_password: randomUUID() } } : 'needs the password',
  'users.erase': async () => ({ query: { profile: 'all' } }),
}

export async function checkDestructive(run: Run, cleanUp: CleanUp) {
  await checkKeysAndAlerts(run, cleanUp)
  let { backend } = run
  for (const [name, findInput] of Object.entries(inputFinders)) {
    const endpoint = getEndpoint(name)
    if (!run.isSelected(name)) continue
    const trial = { level: 'destructive', endpoint } as const
    const missing = run.findMissing(name)
    const input = missing
      ? `the backend has no ${missing.name}`
      : isAllowed(endpoint, run.viewer?.role ?? null) || endpoint.route.access === 'device'
        ? await findInput(run)
        : `not permitted for the role ${run.viewer?.role}`
    if (typeof input === 'string') run.skip(trial, input)
    else {
      const response = await run.checkResponse(
        trial,
        () => backend.request(endpoint, input),
        (given) => evaluateSuccess(endpoint.route, given),
      )
      backend = withNewToken(backend, endpoint, response?.body)
    }
  }
}

/** A password change ends the session and returns a new token. */
function withNewToken(backend: Run['backend'], { name }: Endpoint, body: unknown): Run['backend'] {
  if (name !== 'sessions.changePassword' || typeof body !== 'object' || body === null || !('token' in body)) return backend
  const { token } = body
  return { ...backend, request: (endpoint, input, how) => backend.request(endpoint, input, { token: String(token), ...how }) }
}

async function checkKeysAndAlerts(run: Run, cleanUp: CleanUp) {
  const [device, contact, place] = [
    await findRow(run, 'devices.list'),
    await findRow(run, 'contacts.list'),
    await findRow(run, 'places.list'),
  ]
  const wanted = (name: string) => run.isSelected(name) && !run.findMissing(name) && isAllowed(getEndpoint(name), run.viewer?.role ?? null)
  if (wanted('deviceKeys.remove') && (typeof device?.id === 'number' || typeof device?.id === 'string'))
    await checkLifecycle(run, 'destructive', cleanUp, { kind: 'keys', device: device.id })
  if (wanted('alerts.remove') && device && contact && place) {
    const body = { devices: [device.id], contacts: [contact.id], place: place.id, trigger: 'enter' }
    await checkLifecycle(run, 'destructive', cleanUp, { kind: 'alerts', body })
  }
}

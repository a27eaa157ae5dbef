import { randomUUID } from 'node:crypto'
import type { CallInput } from '#contracts/lib/client.ts'
import type { Row } from '#scripts/contracts/client/backend.ts'
import type { CleanUp } from '#scripts/contracts/client/clean-up.ts'
import { type Call, callNamed } from '#scripts/contracts/client/endpoints.ts'
import type { Options } from '#scripts/contracts/client/flags.ts'
import { CannotRun } from '#scripts/contracts/client/io.ts'
import { judge } from '#scripts/contracts/client/judge.ts'
import type { Run, Viewer } from '#scripts/contracts/client/run.ts'
import { isAllowed } from './reads.ts'
import { makeAndRemove } from './sample-objects.ts'

/** Throws unless the signed-in account is the one that the environment names as disposable. */
export function demandDisposable({ mayDestroy }: Options, viewer: Viewer | null, disposable: string | undefined) {
  if (!mayDestroy) return
  if (!disposable) throw new CannotRun('--allow-destructive: name the account that may be lost in CONTRACTS_DISPOSABLE')
  if (viewer?.email?.toLowerCase() !== disposable.toLowerCase())
    throw new CannotRun('--allow-destructive: who is signed in is not the account in CONTRACTS_DISPOSABLE')
}

/** Returns the input for an endpoint, or why it can't be called. */
type Means = (run: Run) => Promise<CallInput | string>

const first = async ({ backend }: Run, list: string, is: (row: Row) => boolean = () => true) => (await backend.rows(list)).find(is)
const mailed: Means = async () => 'needs a key out of a mail'
const notMine = async () => 'would touch what belongs to somebody else'

/** The order matters: later entries remove what earlier ones need. */
const means: Record<string, Means> = {
  'subscriptions.pay': async (run) => {
    const [device, price] = [await first(run, 'devices.list'), await first(run, 'subscriptions.prices', ({ type }) => type === 'plan')]
    return device && price ? { body: { items: [{ device: device.id, price: price.id }] } } : 'there is no tracker, or no plan'
  },
  'devices.activate': async (run) => {
    const device = await first(run, 'devices.list', ({ tracker_status }) => (tracker_status as Row)?.sub_state === 'not_activated')
    return device ? { params: { id: device.id } } : 'no tracker waits to be activated'
  },
  'paymentMethods.remove': async (run) => {
    const card = await first(run, 'paymentMethods.list', ({ is_default }) => is_default === false)
    return card ? { params: { id: card.id } } : 'there is no card but the default one'
  },
  'invoices.pay': async (run) => {
    const invoice = await first(run, 'invoices.list', ({ status }) => status !== 'paid')
    return invoice ? { params: { id: invoice.id }, body: {} } : 'every invoice is paid'
  },
  'trackers.remove': async (run) => {
    const device = await first(run, 'devices.list')
    return device ? { params: { id: device.id } } : 'devices.list holds nothing'
  },
  'subscriptions.linkByCode': async () => 'needs a verification code',
  'trackers.add': async () => 'needs a tracker that is on no account',
  'positions.ingest': async () => 'needs the key of a device',
  'serialChecks.check': notMine,
  'conflicts.requestUnlink': notMine,
  'team.invite': async () => 'would mail somebody',
  'team.remove': notMine,
  'users.register': async () => 'would mail somebody',
  'confirmations.confirmChange': mailed,
  'sessions.reset': mailed,
  'sessions.changePassword': async ({ options: { as } }) =>
    as && 'password' in as ? { body: { old_password: as.password, new_password: randomUUID() } } : 'needs the password',
  'users.erase': async () => ({ query: { profile: 'all' } }),
}

/** Calls everything that can't be undone; afterwards the account is gone. */
export async function destructive(run: Run, cleanUp: CleanUp) {
  await keysAndAlerts(run, cleanUp)
  let { backend } = run
  for (const [name, meansOf] of Object.entries(means)) {
    const call = callNamed(name)
    if (!run.wants(name)) continue
    const trial = { level: 'destructive', call } as const
    const input =
      isAllowed(call, run.viewer?.role ?? null) || call.route.access === 'device'
        ? await meansOf(run)
        : `not for the role ${run.viewer?.role}`
    if (typeof input === 'string') run.skips(trial, input)
    else {
      const answer = await run.tries(
        trial,
        () => backend.ask(call, input),
        (given) => judge(call.route, given),
      )
      backend = renewed(backend, call, answer?.body)
    }
  }
}

/** A password change ends the session and returns a new token. */
function renewed(backend: Run['backend'], { name }: Call, body: unknown): Run['backend'] {
  if (name !== 'sessions.changePassword' || typeof body !== 'object' || body === null || !('token' in body)) return backend
  const { token } = body
  return { ...backend, ask: (call, input, how) => backend.ask(call, input, { token: String(token), ...how }) }
}

async function keysAndAlerts(run: Run, cleanUp: CleanUp) {
  const [device, contact, place] = [await first(run, 'devices.list'), await first(run, 'contacts.list'), await first(run, 'places.list')]
  const wanted = (name: string) => run.wants(name) && isAllowed(callNamed(name), run.viewer?.role ?? null)
  if (wanted('deviceKeys.remove') && typeof device?.id === 'number')
    await makeAndRemove(run, 'destructive', cleanUp, { kind: 'keys', device: device.id })
  if (wanted('alerts.remove') && device && contact && place) {
    const body = { devices: [device.id], contacts: [contact.id], place: place.id, trigger: 'enter' }
    await makeAndRemove(run, 'destructive', cleanUp, { kind: 'alerts', body })
  }
}

import { findContentType, getSuccess } from '#contracts/lib/route.ts'
import type { NewFault, Preset } from '#contracts/mock/faults.ts'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import { type EndpointRequest, matchesRequest } from '#server/mock/lib/endpoint-requests.ts'
import { createRandom } from '#server/mock/lib/random.ts'

export type Fault = NewFault & {
  id: number
  matched: number
  happened: number
  /** First responses of a stale read, by caller and address. */
  firstResponses: Map<string, string | Buffer>
  /** For `mutate`: the result of each path in the responses so far. */
  paths: Map<string, PathEffect>
  /** Whether the world was created with it. */
  isInitial: boolean
}

/** Whether a path matched, and the nearest existing name for a part that it did not find. */
export type PathEffect = { hasHit: boolean; nearest: string | undefined }

export type Faults = {
  all(): readonly Fault[]
  add(fault: NewFault): Fault
  remove(id: number): boolean
  /** Faults added since the creation of the world that had no effect, or only a part of it; including removed ones. */
  unused(): readonly Fault[]
  clear(): void
  /** Whether a fault might apply, for any caller. */
  mayApply(call: EndpointRequest): boolean
  /** Returns the faults that pass `isMeant` and apply to a request, in the order they were added, and counts them. */
  takeMatching(call: EndpointRequest, isMeant: (fault: Fault) => boolean): readonly Fault[]
  /** A number of the world's own sequence, from 0 to 1. */
  draw(): number
}

/**
 * On a path that the API does not have, only a stub responds, and only if its path is named. Requests that an effect cannot change do not
 * count.
 */
function canApply({ route, method }: EndpointRequest, { effect, match }: NewFault) {
  if (!route) return effect === 'respond' && match?.route?.startsWith('/') === true
  if (effect === 'stream') return findContentType(getSuccess(route).schema) === 'text/event-stream'
  return effect !== 'stale' || method === 'GET'
}

/** Removed faults are remembered for the report at the end of a test. */
const MAX_REMEMBERED = 200

export const isMiss = ({ hasHit, nearest }: PathEffect) => !hasHit || nearest !== undefined

/** Probabilities are drawn from the seed, so the same requests in the same order get the same faults. */
export function createFaults(seed: number, seeded: readonly NewFault[] = []): Faults {
  const draw = createRandom(seed)
  let faults: Fault[] = []
  let count = 0
  let own: Fault[] = []
  const create = (fault: NewFault, isInitial: boolean): Fault => {
    const counters = { id: ++count, matched: 0, happened: 0, isInitial }
    const added = { ...fault, ...counters, firstResponses: new Map<string, string | Buffer>(), paths: new Map<string, PathEffect>() }
    faults.push(added)
    return added
  }
  const happens = (fault: Fault) => {
    const { after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = fault
    if (++fault.matched <= after || fault.happened >= times || (probability < 1 && draw() >= probability)) return false
    fault.happened++
    return true
  }
  for (const fault of seeded) create(fault, true)
  return {
    all: () => faults,
    add(fault) {
      const added = create(fault, false)
      own = [...own, added].slice(-MAX_REMEMBERED)
      return added
    },
    unused: () => own.filter((fault) => fault.happened === 0 || [...fault.paths.values()].some(isMiss)),
    remove(id) {
      const left = faults.filter((fault) => fault.id !== id)
      const isKnown = left.length < faults.length
      faults = left
      return isKnown
    },
    clear() {
      faults = []
    },
    draw,
    mayApply: (call) =>
      faults.some((fault) => {
        const { persona: _, ...match } = fault.match ?? {}
        return canApply(call, fault) && matchesRequest(call, match)
      }),
    takeMatching: (call, isMeant) =>
      faults.filter((fault) => isMeant(fault) && canApply(call, fault) && matchesRequest(call, fault.match ?? {}) && happens(fault)),
  }
}

export const presets: Record<Preset, readonly NewFault[]> = {
  offline: [{ effect: 'reset' }],
  /** Signing in works, but the session is rejected at once. */
  session_expired: [{ effect: 'status', status: 401, match: { access: 'signed_in' } }],
  /** Longer than any client should wait. */
  hang_31s: [{ effect: 'hang', ms: 31_000 }],
  flaky: [{ effect: 'status', status: 503, probability: 0.3 }],
  maintenance: [{ effect: 'status', status: 503, headers: { 'retry-after': '120' } }],
  /** The network profiles of browsers' developer tools. */
  slow_3g: [
    { effect: 'latency', ms: 400, jitter_ms: 200 },
    { effect: 'slow', bytes_per_second: 50_000 },
  ],
  fast_3g: [
    { effect: 'latency', ms: 150, jitter_ms: 50 },
    { effect: 'slow', bytes_per_second: 180_000 },
  ],
  satellite: [{ effect: 'latency', ms: 600, jitter_ms: 100 }],
  /** One difference of each kind: unknown field, unknown value, missing field, wrong type. */
  contract_drift: [
    { effect: 'mutate', match: { route: 'users.settings' }, set: { nickname: 'Ally' } },
    { effect: 'mutate', match: { route: 'devices.list' }, set: { '*.type': 'tracker_99' } },
    { effect: 'mutate', match: { route: 'places.list' }, remove: ['*.radius'] },
    { effect: 'mutate', match: { route: 'sessions.options' }, set: { email_confirmed: 'yes' } },
  ],
}

/** Initial faults of a scenario: in `family` olga's orders cannot be loaded. */
export const SEEDED_FAULTS: Partial<Record<ScenarioKey, readonly NewFault[]>> = {
  family: [{ effect: 'status', status: 500, match: { route: 'orders.list', persona: 'olga' } }],
}

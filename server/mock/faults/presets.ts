import type { NewFault, Preset } from '#contracts/mock/faults.ts'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'

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

/** Faults a scenario starts with: in the family scenario olga's orders cannot be loaded. */
export const SEEDED_FAULTS: Partial<Record<ScenarioKey, readonly NewFault[]>> = {
  family: [{ effect: 'status', status: 500, match: { route: 'orders.list', persona: 'olga' } }],
}

import type { NewFault } from '#contracts/mock/faults.ts'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'

/** Faults a scenario starts with: in the family scenario olga's orders cannot be loaded. */
export const SEEDED_FAULTS: Partial<Record<ScenarioKey, readonly NewFault[]>> = {
  family: [{ effect: 'status', status: 500, match: { route: 'orders.list', persona: 'olga' } }],
}

import type { NewFault } from '#contracts/mock/faults.ts'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'

/** What goes wrong in a scenario from the start: in the family the orders of olga can't be loaded (requirements H.1). */
export const SEEDED_FAULTS: Partial<Record<ScenarioKey, readonly NewFault[]>> = {
  family: [{ effect: 'status', status: 500, match: { route: 'orders.list', persona: 'olga' } }],
}

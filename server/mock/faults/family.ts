import type { NewFault } from '#contracts/mock/faults.ts'

/** What goes wrong in the seeded family from the start: the orders of olga can't be loaded (requirements H.1). */
export const FAMILY_FAULTS: readonly NewFault[] = [{ effect: 'status', status: 500, match: { route: 'orders.list', persona: 'olga' } }]

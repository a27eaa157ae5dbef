import { instant, int, table } from '#db/columns.ts'

/** What seeded demo data was laid around; empty in production. The simulator goes on from here. */
export const seeds = table('seeds', { seed: int().primaryKey(), anchor: instant().notNull() })

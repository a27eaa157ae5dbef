import { instant, int, str, table } from './columns.ts'

/** Addresses that the geocoder found, by cell (`db/addresses.ts`); null where it found none. They name no account and no tracker. */
export const addressCells = table('address_cells', {
  cell: int().primaryKey(),
  address: str(),
  foundAt: instant().notNull(),
})

import { getTableName } from 'drizzle-orm'
import { listDistributed } from '#db/schema/columns.ts'
import { positions } from '#db/schema/positions.ts'

/** The table that decides how many shards there are, and where the rows of a tracker are. */
export const FIRST_TABLE = getTableName(positions)

/** All tables that are distributed by tracker; two of them exist on PostgreSQL only. */
export const DISTRIBUTED_TABLES: readonly string[] = [
  FIRST_TABLE,
  'position_changes',
  'position_blocks',
  ...listDistributed().filter((name) => name !== FIRST_TABLE),
]

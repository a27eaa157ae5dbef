import { COLUMNS, type ColumnId } from './list-view.ts'
import type { Browse } from './use-browse.ts'

const USUAL: readonly ColumnId[] = ['where', 'state', 'age', 'battery', 'ends']

/** The columns that exist: only support reads the owners. */
export const knownColumns = ({ owners }: Pick<Browse, 'owners'>) => COLUMNS.filter((column) => column !== 'owner' || owners)

/** The columns of the table: those of the view, or the usual ones, for support with the owner unless the rows are grouped by it. */
export function columnsOf({ view, owners, group }: Pick<Browse, 'view' | 'owners' | 'group'>): ColumnId[] {
  const wanted = view.columns ?? [...USUAL, ...(group === 'owner' ? [] : (['owner'] as const))]
  return knownColumns({ owners }).filter((column) => wanted.includes(column))
}

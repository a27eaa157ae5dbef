import { TRACKER_COLUMN } from '#db/schema/columns.ts'
import { DISTRIBUTED_TABLES } from './tables.ts'

const TABLE = /\b(?:from|join|into|update|truncate|using)\s+"?(\w+)"?/gi
/** The tracker as a parameter: in a condition, or as the first value of a new row. */
const OWN_TRACKER = new RegExp(`"?${TRACKER_COLUMN}"? = \\$\\d+|select \\$1::bigint|values \\(\\$1\\b|values \\(\\$1::bigint`, 'g')
const NAMED_WITH = /(?:\bwith|,)\s+(?:recursive\s+)?(\w+)(?:\([^)]*\))?\s+as\s+(?:materialized\s+)?\(/gi

/**
 * Returns why a cluster could not run a statement on one of its servers; undefined if it can. A statement that changes distributed tables has
 * to name one tracker for each of them, and one that only reads may ask all servers about one table. Neither reads other tables as well.
 */
export function findObstacle(text: string): string | undefined {
  const given = new Set([...text.matchAll(NAMED_WITH)].map(([, name]) => name))
  const named = [...text.matchAll(TABLE)].map(([, name]) => name!.toLowerCase()).filter((name) => !given.has(name) && !NOT_TABLES.has(name))
  const distributed = named.filter((name) => DISTRIBUTED_TABLES.includes(name) || /^positions_\d{4}_\d\d$/.test(name))
  if (distributed.length === 0) return undefined
  const others = named.filter((name) => !distributed.includes(name))
  if (others.length > 0) return `reads ${others.join(', ')} as well`
  const trackers = new Set(text.match(new RegExp(`"?${TRACKER_COLUMN}"? = \\$\\d+`, 'g')))
  const isChange = /\b(insert into|update \w|delete from|update ")/i.test(text)
  if (!isChange && trackers.size === 0) return new Set(distributed).size === 1 ? undefined : 'reads several tables of all trackers'
  if (trackers.size > 1) return 'names several trackers'
  const times = text.match(OWN_TRACKER)?.length ?? 0
  return times < distributed.length ? `names its tracker ${times} times for ${distributed.length} uses of tables` : undefined
}
/** Words after `from` or `using` that name no table. */
const NOT_TABLES = new Set(['select', 'lateral', 'unnest', 'set', 'only', 'of', 'json_to_recordset'])

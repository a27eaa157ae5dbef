type Row = string | number | boolean | null | undefined | object

/** Longest part of a received value in a reason, in characters. */
const RECEIVED_LENGTH = 300

/**
 * Runs `check` for every row, one after the other, and returns `name: reason` for each row that fails, so that one test covers a
 * computed table and lists everything that is wrong with it. Throws when there is no row, because then nothing is proven.
 */
export async function collectFailures<T extends Row>(
  rows: Iterable<T>,
  nameOf: (row: T) => string,
  check: (row: T) => unknown,
): Promise<string[]> {
  const failures: string[] = []
  let count = 0
  for (const row of rows) {
    count++
    try {
      await check(row)
    } catch (error) {
      failures.push(`${nameOf(row)}: ${reasonOf(error)}`)
    }
  }
  if (count === 0) throw new Error('The table has no rows, so nothing was checked')
  return failures
}

/** The message of an assertion abbreviates objects ("expected { …(3) }"), so the received one is appended. */
function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const actual = 'actual' in error ? error.actual : undefined
  const received = typeof actual === 'object' && actual !== null ? `, received ${describeValue(actual)}` : ''
  return error.message + received
}

/** DOM elements cannot be written as JSON. */
function describeValue(value: object) {
  try {
    return JSON.stringify(value)?.slice(0, RECEIVED_LENGTH)
  } catch {
    return value.constructor.name
  }
}

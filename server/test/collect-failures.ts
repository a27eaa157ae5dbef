type Row = string | number | boolean | null | undefined | object

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
      failures.push(`${nameOf(row)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (count === 0) throw new Error('The table has no rows, so nothing was checked')
  return failures
}

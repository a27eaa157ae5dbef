const NEAR_MISS_COLUMNS = ['id', 'method', 'url', 'status', 'differs']

export function formatNearMisses(answer: unknown) {
  const { near_misses: misses, count } = isObject(answer) ? answer : {}
  return Array.isArray(misses) ? `There were ${count}. Closest requests:\n${formatData(misses, NEAR_MISS_COLUMNS)}` : ''
}

export function formatData(data: unknown, columns?: readonly string[]): string {
  if (data === undefined) return 'done\n'
  if (Array.isArray(data)) return data.length === 0 ? 'none\n' : formatTable(data, columns ?? defaultColumns(data))
  if (typeof data !== 'object' || data === null) return `${data}\n`
  const pairs = Object.entries(data)
  const width = Math.max(0, ...pairs.map(([key]) => key.length))
  return pairs.map(([key, value]) => `${key.padEnd(width)}  ${formatCell(value)}\n`).join('')
}

function formatTable(rows: readonly unknown[], columns: readonly string[]) {
  if (columns.length === 0) return rows.map((row) => `${formatCell(row)}\n`).join('')
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => formatCell(valueAt(row, column)))),
  ]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((text, index) => text.padEnd(widths[index]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** Columns that fit in a line: the fields of the first row that are not objects. */
const defaultColumns = (rows: readonly unknown[]) =>
  Object.entries(isObject(rows[0]) ? rows[0] : {})
    .filter(([, value]) => !isObject(value))
    .map(([key]) => key)

const valueAt = (row: unknown, column: string) =>
  column.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), row)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value) && value.every((one) => !isObject(one))) return value.join(', ') || '-'
  return isObject(value) ? JSON.stringify(value) : String(value).replaceAll('\n', ' ')
}

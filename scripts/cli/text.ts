const MISSES = ['id', 'method', 'url', 'status', 'differs']

/** Formats the near misses of a failed verification, or '' if there are none. */
export function nearMissesOf(answer: unknown) {
  const { near_misses: misses, count } = isHolder(answer) ? answer : {}
  return Array.isArray(misses) ? `There were ${count}. What came closest:\n${textOf(misses, MISSES)}` : ''
}

/** Formats data for people: lists as tables, anything else as one line per field. */
export function textOf(data: unknown, columns?: readonly string[]): string {
  if (data === undefined) return 'done\n'
  if (Array.isArray(data)) return data.length === 0 ? 'none\n' : table(data, columns ?? columnsOf(data))
  if (typeof data !== 'object' || data === null) return `${data}\n`
  const pairs = Object.entries(data)
  const width = Math.max(0, ...pairs.map(([key]) => key.length))
  return pairs.map(([key, value]) => `${key.padEnd(width)}  ${cell(value)}\n`).join('')
}

function table(rows: readonly unknown[], columns: readonly string[]) {
  if (columns.length === 0) return rows.map((row) => `${cell(row)}\n`).join('')
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => columns.map((column) => cell(at(row, column))))]
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

/** Columns that fit into a line: the fields of the first row that are not objects. */
const columnsOf = (rows: readonly unknown[]) =>
  Object.entries(isHolder(rows[0]) ? rows[0] : {})
    .filter(([, value]) => !isHolder(value))
    .map(([key]) => key)

const at = (row: unknown, column: string) =>
  column.split('.').reduce<unknown>((value, key) => (isHolder(value) ? value[key] : undefined), row)

const isHolder = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value) && value.every((one) => !isHolder(one))) return value.join(', ') || '-'
  return isHolder(value) ? JSON.stringify(value) : String(value).replaceAll('\n', ' ')
}

type Row = Record<string, unknown>

const MOST = 5
/** The server generates ids and addresses of positions, and the places of pages. */
const OWN = /(^|\.)(results\.\*\.(id|address)|next|previous)$/

/** The fields in which a response of a world differs from the recorded one, at most five. Fields that only the world has do not count. */
export function findDifferences(recorded: unknown, now: unknown): string[] {
  const found = new Set<string>()
  compare(recorded, now, '', found)
  return found.size > MOST ? [...[...found].slice(0, MOST), `${found.size - MOST} more`] : [...found]
}

function compare(recorded: unknown, now: unknown, path: string, found: Set<string>) {
  if (OWN.test(path)) return
  if (Array.isArray(recorded) && Array.isArray(now)) return compareLists(recorded, now, path, found)
  if (isRow(recorded) && isRow(now)) {
    for (const [key, value] of Object.entries(recorded)) compare(value, now[key], path === '' ? key : `${path}.${key}`, found)
    return
  }
  // Absent and null are equivalent.
  if ((recorded ?? null) !== (now ?? null)) found.add(path || 'body')
}

function compareLists(recorded: unknown[], now: unknown[], path: string, found: Set<string>) {
  const at = path === '' ? '*' : `${path}.*`
  if (recorded.length !== now.length) found.add(`${path || 'list'}: ${now.length} instead of ${recorded.length}`)
  const others = new Map(now.map((one) => [keyOf(one), one]))
  const isKeyed = recorded.every((one) => keyOf(one) !== undefined) && !path.endsWith('results')
  if (!isKeyed) {
    for (const [index, one] of recorded.entries()) if (index < now.length) compare(one, now[index], at, found)
    return
  }
  const common = recorded.filter((one) => others.has(keyOf(one)))
  for (const one of common) compare(one, others.get(keyOf(one)), at, found)
  const order = now.map(keyOf).filter((key) => common.some((one) => keyOf(one) === key))
  if (common.some((one, index) => keyOf(one) !== order[index])) found.add(`${path || 'list'}: another order`)
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function keyOf(value: unknown) {
  if (!isRow(value)) return undefined
  return value.id ?? value.uuid ?? value.reference
}

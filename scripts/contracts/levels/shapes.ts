import type { Row } from '#scripts/contracts/client/backend.ts'
import { drift, type Finding } from '#scripts/contracts/client/verdict.ts'

/** The field paths of a response with their types; all elements of a list share one path. */
export function shapeOf(value: unknown, path = '', shape = new Map<string, Set<string>>()) {
  const types = shape.get(path) ?? new Set()
  shape.set(path, types.add(typeName(value)))
  if (Array.isArray(value)) for (const element of value) shapeOf(element, join(path, '*'), shape)
  else if (isHolder(value)) for (const [key, inner] of Object.entries(value)) shapeOf(inner, join(path, key), shape)
  return shape
}

type Shape = ReturnType<typeof shapeOf>

/** Fields that only one of two responses has, or that differ in type. Null is compatible with every type. */
export function shapeDrift(here: Shape, there: Shape): Finding[] {
  return [...new Set([...here.keys(), ...there.keys()])].flatMap((path) => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
    const [one, other] = [known(here.get(path)), known(there.get(path))]
    if (!one || !other) {
      // Comparable only where both sides have the object that holds the field; list elements may be absent.
      const isComparable = !/(^|\.)\*$/.test(path) && [here, there].every((shape) => shape.get(parent)?.has('object'))
      return isComparable ? [drift(path, one ? 'only here' : 'only there')] : []
    }
    const isAlike = one.length === 0 || other.length === 0 || one.some((type) => other.includes(type))
    return isAlike ? [] : [drift(path, `${one.join(' or ')} here, ${other.join(' or ')} there`)]
  })
}

const known = (types: Set<string> | undefined) => types && [...types].filter((type) => type !== 'null')

export function ordersOf(rows: readonly Row[]): string[] {
  return Object.keys(rows[0] ?? {}).flatMap((field) => {
    const values = rows.map((row) => row[field])
    if (new Set(values).size < 2 || !values.every((value) => typeof value === 'string' || typeof value === 'number')) return []
    const steps = values.slice(1).map((value, index) => compare(values[index]!, value!))
    if (steps.every((step) => step <= 0)) return [`${field} ascending`]
    return steps.every((step) => step >= 0) ? [`${field} descending`] : []
  })
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))

const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

const join = (...parts: string[]) => parts.filter(Boolean).join('.')

const isHolder = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** The part of JSON schema that OpenAPI documents use. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  nullable?: boolean
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  [keyword: string]: unknown
}

/** The direction of a schema: sent by a client, or received by it. */
export type Direction = 'request' | 'response'
export type Verdict = 'breaking' | 'risky' | 'fine'
export type Change = { verdict: Verdict; path: string; message: string }
/** Returns the schema that a `$ref` names; each document has its own. */
export type Resolve = (schema: Schema) => Schema

type Side = { before: Schema; after: Schema }
type Context = { resolve: { before: Resolve; after: Resolve }; direction: Direction; seen: Set<string> }

/**
 * Compares two schemas. The server must still accept what a client sends, and may send only what the client was prepared for: so a narrower
 * schema breaks requests; a wider one breaks responses or puts them at risk.
 */
export function compareSchemas(before: Schema, after: Schema, direction: Direction, resolve: Context['resolve'], path = ''): Change[] {
  return compare({ before, after }, path, { resolve, direction, seen: new Set() })
}

function compare({ before, after }: Side, path: string, context: Context): Change[] {
  const pair = `${before.$ref ?? ''} ${after.$ref ?? ''}`
  if (before.$ref && after.$ref) {
    if (context.seen.has(pair)) return []
    context.seen.add(pair)
  }
  const [old, now] = [normalize(before, context.resolve.before), normalize(after, context.resolve.after)]
  const { narrowed, widened } = judge(context.direction)
  const nulls: Change[] = []
  if (!old.isNullable && now.isNullable) nulls.push({ verdict: widened, path, message: 'may be null now' })
  if (old.isNullable && !now.isNullable) nulls.push({ verdict: narrowed, path, message: 'may no longer be null' })
  return [...nulls, ...compareAlternatives(old.alternatives, now.alternatives, path, context)]
}

const judge = (direction: Direction): { narrowed: Verdict; widened: Verdict; unsure: Verdict } =>
  direction === 'request'
    ? { narrowed: 'breaking', widened: 'fine', unsure: 'fine' }
    : { narrowed: 'fine', widened: 'breaking', unsure: 'risky' }

/** The alternative forms of a value, apart from null. */
function normalize(schema: Schema, resolve: Resolve): { isNullable: boolean; alternatives: Schema[] } {
  const { allOf, anyOf, oneOf, ...own } = resolve(schema)
  const merged = (allOf ?? []).map((one) => resolve(one)).reduce<Schema>(mergeSchemas, own)
  const listed = anyOf ?? oneOf
  if (listed) {
    const all = listed.map((one) => normalize(one, resolve))
    return { isNullable: all.some((one) => one.isNullable), alternatives: all.flatMap((one) => one.alternatives) }
  }
  const types = [merged.type ?? []].flat()
  const isNullable = types.includes('null') || merged.nullable === true
  const others = types.filter((type) => type !== 'null')
  if (isNullable && types.length > 0 && others.length === 0) return { isNullable, alternatives: [] }
  if (others.length < 2) return { isNullable, alternatives: [{ ...merged, ...(others.length === 1 && { type: others[0]! }) }] }
  return { isNullable, alternatives: others.map((type) => ({ ...merged, type })) }
}

const mergeSchemas = (one: Schema, other: Schema): Schema => ({
  ...one,
  ...other,
  ...((one.properties ?? other.properties) && { properties: { ...one.properties, ...other.properties } }),
  ...((one.required ?? other.required) && { required: [...(one.required ?? []), ...(other.required ?? [])] }),
})

const typeOf = ({ type, properties }: Schema) => (properties ? 'object' : String(type ?? 'any'))
/** Objects of several kinds differ by the constant values of their properties, such as `effect: "status"`. */
const kindOf = (schema: Schema) =>
  `${typeOf(schema)} ${Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.const !== undefined)
    .map(([name, property]) => `${name}=${JSON.stringify(property.const)}`)
    .join(' ')}`

function compareAlternatives(old: Schema[], now: Schema[], path: string, context: Context): Change[] {
  const { narrowed, widened } = judge(context.direction)
  if (old.length === 1 && now.length === 1 && typeOf(old[0]!) === typeOf(now[0]!))
    return compareOne({ before: old[0]!, after: now[0]! }, path, context)
  if (old.length === 1 && now.length === 1) {
    const [was, is] = [typeOf(old[0]!), typeOf(now[0]!)]
    if (was === 'integer' && is === 'number') return [{ verdict: widened, path, message: 'integer became number' }]
    if (was === 'number' && is === 'integer') return [{ verdict: narrowed, path, message: 'number became integer' }]
    return [{ verdict: 'breaking', path, message: `${was} became ${is}` }]
  }
  const left = [...now]
  const take = (matches: (one: Schema) => boolean) => {
    const index = left.findIndex(matches)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const unchanged = new Set(old.filter((one) => take((other) => JSON.stringify(other) === JSON.stringify(one))))
  const changes = old
    .filter((one) => !unchanged.has(one))
    .flatMap((one) => {
      const other = take((candidate) => kindOf(candidate) === kindOf(one)) ?? take((candidate) => typeOf(candidate) === typeOf(one))
      if (other) return compareOne({ before: one, after: other }, path, context)
      return [{ verdict: narrowed, path, message: `may no longer be ${describe(one)}` }]
    })
  return [...changes, ...left.map((one) => ({ verdict: widened, path, message: `may be ${describe(one)} now` }))]
}

const describe = (schema: Schema) => {
  const kind = kindOf(schema).trim()
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function compareOne({ before, after }: Side, path: string, context: Context): Change[] {
  return [
    ...compareValues({ before, after }, path, context),
    ...compareBounds({ before, after }, path, context),
    ...compareObjects({ before, after }, path, context),
    ...(before.items && after.items ? compare({ before: before.items, after: after.items }, `${path}[]`, context) : []),
    ...(before.propertyNames && after.propertyNames
      ? compare({ before: before.propertyNames, after: after.propertyNames }, `${path}.(names)`, context)
      : []),
  ]
}

const valuesOf = ({ enum: values, const: value }: Schema) => values ?? (value === undefined ? undefined : [value])

function compareValues({ before, after }: Side, path: string, { direction }: Context): Change[] {
  const { narrowed, unsure } = judge(direction)
  const [old, now] = [valuesOf(before), valuesOf(after)]
  if (!old && !now) return []
  if (!old) return [{ verdict: narrowed, path, message: `only ${now!.map(String).join(', ')} are left of all values` }]
  if (!now) return [{ verdict: unsure, path, message: 'may have any value now' }]
  const gone = old.filter((value) => !now.includes(value))
  const added = now.filter((value) => !old.includes(value))
  return [
    ...gone.map((value): Change => ({ verdict: narrowed, path, message: `the value ${value} is gone` })),
    ...added.map((value): Change => ({ verdict: unsure, path, message: `the value ${value} is new` })),
  ]
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const
const FORMS = ['pattern', 'format', 'multipleOf'] as const

function compareBounds({ before, after }: Side, path: string, { direction }: Context): Change[] {
  const { narrowed, unsure } = judge(direction)
  const bounds = [...LOWER, ...UPPER].flatMap((name): Change[] => {
    const isLower = (LOWER as readonly string[]).includes(name)
    const none = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    const [old, now] = [Number(before[name] ?? none), Number(after[name] ?? none)]
    if (old === now) return []
    const verdict = isLower === now > old ? narrowed : unsure
    return [{ verdict, path, message: `${name} ${formatBound(before[name])} became ${formatBound(after[name])}` }]
  })
  const forms = FORMS.flatMap((name): Change[] => {
    const [old, now] = [before[name], after[name]]
    if (old === now) return []
    if (old === undefined) return [{ verdict: narrowed, path, message: `must match the ${name} ${now} now` }]
    if (now === undefined) return [{ verdict: unsure, path, message: `needs no longer match the ${name} ${old}` }]
    return [{ verdict: 'risky', path, message: `the ${name} ${old} became ${now}` }]
  })
  const hasDefault = direction === 'request' && JSON.stringify(before.default) !== JSON.stringify(after.default)
  return [
    ...bounds,
    ...forms,
    ...(hasDefault ? [{ verdict: 'risky' as const, path, message: 'another value is used when it is left out' }] : []),
  ]
}

const formatBound = (value: unknown) => (value === undefined ? 'none' : String(value))

function compareObjects({ before, after }: Side, path: string, context: Context): Change[] {
  const { direction } = context
  const [old, now] = [before.properties ?? {}, after.properties ?? {}]
  const at = (name: string) => (path ? `${path}.${name}` : name)
  const changes = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name): Change[] => {
    const [was, is] = [old[name], now[name]]
    const [wasRequired, isRequired] = [before, after].map(({ required = [] }) => required.includes(name))
    if (was && is)
      return [...compareRequired(at(name), wasRequired!, isRequired!, direction), ...compare({ before: was, after: is }, at(name), context)]
    if (was) return [judgeRemoved(at(name), wasRequired!, isClosed(after), direction)]
    return [judgeAdded(at(name), isRequired!, isClosed(before), direction)]
  })
  return [...changes, ...compareRest({ before, after }, path, context)]
}

const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false

function compareRequired(path: string, was: boolean, is: boolean, direction: Direction): Change[] {
  if (was === is) return []
  const isNarrower = is
  const verdict = isNarrower === (direction === 'request') ? 'breaking' : 'fine'
  return [{ verdict, path, message: is ? 'is required now' : direction === 'request' ? 'is no longer required' : 'may be missing now' }]
}

function judgeRemoved(path: string, wasRequired: boolean, isClosedNow: boolean, direction: Direction): Change {
  if (direction === 'response') return { verdict: wasRequired ? 'breaking' : 'risky', path, message: 'is gone' }
  return isClosedNow ? { verdict: 'breaking', path, message: 'is refused now' } : { verdict: 'risky', path, message: 'is ignored now' }
}

function judgeAdded(path: string, isRequired: boolean, wasClosed: boolean, direction: Direction): Change {
  if (direction === 'request')
    return { verdict: isRequired ? 'breaking' : 'fine', path, message: isRequired ? 'is new and required' : 'is new' }
  return wasClosed
    ? { verdict: 'risky', path, message: 'is new, where no other field was allowed' }
    : { verdict: 'fine', path, message: 'is new' }
}

/** Compares the rules for additional properties. */
function compareRest({ before, after }: Side, path: string, context: Context): Change[] {
  const [old, now] = [before.additionalProperties ?? true, after.additionalProperties ?? true]
  const { narrowed, unsure } = judge(context.direction)
  if (typeof old === 'object' && typeof now === 'object') return compare({ before: old, after: now }, `${path}.*`, context)
  if (typeOf(before) !== 'object' || JSON.stringify(old) === JSON.stringify(now)) return []
  if (now === false || typeof now === 'object') return [{ verdict: narrowed, path, message: 'other fields are no longer free' }]
  return [{ verdict: unsure, path, message: 'other fields are free now' }]
}

import { type Change, compareSchemas, type Resolve, type Schema } from './compare-schemas.ts'

type Content = Record<string, { schema?: Schema; examples?: Record<string, { $ref?: string }> }>
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema?: Schema }
type Body = { $ref?: string; required?: boolean; content?: Content }
type Reply = { $ref?: string; headers?: Record<string, unknown>; content?: Content }
type Operation = {
  parameters?: Parameter[]
  requestBody?: Body
  responses?: Record<string, Reply>
  security?: Record<string, string[]>[]
  deprecated?: boolean
  'x-roles'?: string[]
}
export type Document = { openapi: string; paths: Record<string, Record<string, unknown>>; security?: Operation['security'] }

/** A change of an endpoint; `part` is its place in the endpoint. */
export type ContractChange = Change & { endpoint: string; part: string }

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const

/** Lists the changes between two OpenAPI documents, as they affect clients of the first one. */
export function compareDocuments(before: Document, after: Document): ContractChange[] {
  const [old, now] = [listOperations(before), listOperations(after)]
  const resolve = { before: createResolver(before), after: createResolver(after) }
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((key): ContractChange[] => {
    const [was, is] = [old.get(key), now.get(key)]
    if (!is) return [{ endpoint: was!.name, part: 'endpoint', verdict: 'breaking', path: '', message: 'is gone' }]
    if (!was) return [{ endpoint: is.name, part: 'endpoint', verdict: 'fine', path: '', message: 'is new' }]
    return compareOperations(was, is, resolve).map((change) => ({ ...change, endpoint: is.name }))
  })
}

type NamedOperation = Operation & { name: string }

/** Operations by method and path; clients do not depend on the names of path parameters. */
function listOperations({ paths, security }: Document) {
  const operations = new Map<string, NamedOperation>()
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined
      if (!operation) continue
      const shared = (item.parameters ?? []) as Parameter[]
      const name = `${method.toUpperCase()} ${path}`
      const key = `${path.replaceAll(/\{[^}]*\}/g, '{}')} ${method}`
      operations.set(key, { ...(security && { security }), ...operation, parameters: [...shared, ...(operation.parameters ?? [])], name })
    }
  return operations
}

/** Resolves `#/components/…`; an unresolvable reference allows anything. */
const createResolver =
  (document: object): Resolve =>
  (schema) => {
    let at = schema
    for (let steps = 0; at.$ref !== undefined && steps < 20; steps++) {
      const found = at.$ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>(
          (holder, name) => (holder as Record<string, unknown> | undefined)?.[decodeURIComponent(name).replaceAll('~1', '/')],
          document,
        )
      at = (found ?? {}) as Schema
    }
    return at
  }

type Resolvers = { before: Resolve; after: Resolve }
type PartChange = Change & { part: string }

const compareOperations = (was: NamedOperation, is: NamedOperation, resolve: Resolvers): PartChange[] => [
  ...(is.deprecated && !was.deprecated ? [{ part: 'endpoint', verdict: 'risky' as const, path: '', message: 'is deprecated' }] : []),
  ...compareAccess(was, is),
  ...compareParameters(was, is, resolve),
  ...compareBodies(follow(was.requestBody, resolve.before), follow(is.requestBody, resolve.after), resolve),
  ...compareResponses(was.responses ?? {}, is.responses ?? {}, resolve),
]

/** Parameters, bodies and responses may be references like schemas. */
const follow = <T extends object>(thing: T | undefined, resolve: Resolve) => thing && (resolve(thing as Schema) as T)

function compareAccess(was: Operation, is: Operation): PartChange[] {
  const at = { part: 'access', path: '' }
  const [old, now] = [was, is].map(({ security = [] }) => security.map((one) => Object.keys(one).sort().join(' and ')))
  const isOpen = (ways: string[]) => ways.length === 0 || ways.includes('')
  const roles = [was, is].map((one) => one['x-roles'] ?? [])
  const gone = roles[0]!.filter((role) => !roles[1]!.includes(role))
  const added = roles[1]!.filter((role) => !roles[0]!.includes(role))
  const lost = isOpen(now!) ? [] : old!.filter((way) => way && !now!.includes(way))
  return [
    ...(isOpen(old!) && !isOpen(now!) ? [{ ...at, verdict: 'breaking' as const, message: 'needs a sign-in now' }] : []),
    ...(!isOpen(old!) && isOpen(now!) ? [{ ...at, verdict: 'fine' as const, message: 'needs no sign-in any more' }] : []),
    ...lost.map((way) => ({ ...at, verdict: 'breaking' as const, message: `no longer takes ${way}` })),
    ...(roles[1]!.length > 0
      ? gone.map((role) => ({ ...at, verdict: 'breaking' as const, message: `is no longer for the role ${role}` }))
      : []),
    ...(roles[0]!.length > 0 ? added.map((role) => ({ ...at, verdict: 'fine' as const, message: `is for the role ${role} too` })) : []),
  ]
}

function compareParameters(was: Operation, is: Operation, resolve: Resolvers): PartChange[] {
  const index = (operation: Operation, own: Resolve) => {
    let position = 0
    return new Map(
      (operation.parameters ?? []).map((one) => {
        const parameter = follow(one, own)!
        // Path parameters are compared by position, because their names may change; header names are case-insensitive.
        const name =
          parameter.in === 'path' ? String(position++) : parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name
        return [`${parameter.in} ${name}`, parameter] as const
      }),
    )
  }
  const [old, now] = [index(was, resolve.before), index(is, resolve.after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): PartChange[] => {
    const [before, after] = [old.get(key), now.get(key)]
    const { name, in: place } = (after ?? before)!
    const at = { part: place, path: name }
    if (!after) return [{ ...at, verdict: 'risky', message: 'is ignored now' }]
    if (!before)
      return [{ ...at, verdict: after.required ? 'breaking' : 'fine', message: after.required ? 'is new and required' : 'is new' }]
    return [
      ...compareNeed(Boolean(before.required), Boolean(after.required)).map((change) => ({ ...change, ...at })),
      ...compareSchemas(before.schema ?? {}, after.schema ?? {}, 'request', resolve, name).map((change) => ({ ...change, part: place })),
    ]
  })
}

function compareNeed(was: boolean, is: boolean): Omit<Change, 'path'>[] {
  if (was === is) return []
  return [is ? { verdict: 'breaking', message: 'is required now' } : { verdict: 'fine', message: 'is no longer required' }]
}

function compareBodies(was: Body | undefined, is: Body | undefined, resolve: Resolvers): PartChange[] {
  const at = { part: 'request', path: '' }
  if (!was && !is) return []
  if (!is) return [{ ...at, verdict: 'risky', message: 'the body is ignored now' }]
  if (!was) return [{ ...at, verdict: is.required ? 'breaking' : 'fine', message: is.required ? 'needs a body now' : 'takes a body now' }]
  return [
    ...compareNeed(Boolean(was.required), Boolean(is.required)).map((change) => ({ ...change, ...at })),
    ...compareContent(was.content ?? {}, is.content ?? {}, 'request', resolve),
  ]
}

function compareContent(was: Content, is: Content, direction: 'request' | 'response', resolve: Resolvers): Omit<PartChange, 'never'>[] {
  const at = { part: direction, path: '' }
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((type): PartChange[] => {
    const [before, after] = [was[type], is[type]]
    if (!after) return [{ ...at, verdict: 'breaking', message: `no longer ${type}` }]
    if (!before)
      return [{ ...at, verdict: direction === 'request' || Object.keys(was).length === 0 ? 'fine' : 'risky', message: `${type} is new` }]
    return compareSchemas(before.schema ?? {}, after.schema ?? {}, direction, resolve).map((change) => ({ ...change, part: direction }))
  })
}

/** The error codes among the examples of a response. */
const listCodes = ({ content = {} }: Reply) =>
  Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples).filter((name) => examples[name]?.$ref !== undefined))

function compareResponses(was: Record<string, Reply>, is: Record<string, Reply>, resolve: Resolvers): PartChange[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].sort().flatMap((status): PartChange[] => {
    const [before, after] = [follow(was[status], resolve.before), follow(is[status], resolve.after)]
    const isSuccess = status.startsWith('2')
    const part = `response ${status}`
    if (!after) return [{ part, path: '', verdict: isSuccess ? 'breaking' : 'fine', message: 'is gone' }]
    if (!before) return [{ part, path: '', verdict: 'risky', message: 'is new' }]
    const [old, now] = [listCodes(before), listCodes(after)]
    const lost = Object.keys(before.headers ?? {}).filter((name) => !(name in (after.headers ?? {})))
    return [
      ...compareContent(before.content ?? {}, after.content ?? {}, 'response', resolve).map((change) => ({ ...change, part })),
      ...lost.map((name) => ({ part, path: name, verdict: 'risky' as const, message: 'the header is gone' })),
      ...now
        .filter((code) => !old.includes(code))
        .map((code) => ({ part, path: '', verdict: 'risky' as const, message: `the error ${code} is new` })),
      ...old
        .filter((code) => !now.includes(code))
        .map((code) => ({ part, path: '', verdict: 'fine' as const, message: `the error ${code} is gone` })),
    ]
  })
}

import { createHash } from 'node:crypto'
import { parseSync } from 'oxc-parser'

/** A function, or a top-level statement, without the functions inside it. Types, comments and layout do not count. */
type Unit = { hash: string; names: ReadonlySet<string> }
/** `marks` says where code that records a call can be inserted. */
export type FunctionUnit = Unit & { statement: number; marks: [start: number, end?: number] }
/** `declares` has `default` for a default export. `isPlain`: evaluating it calls nothing and makes no data, such as a function declaration. */
export type StatementUnit = Unit & { declares: string[]; isPlain: boolean }
export type Import = { from: string; names: { imported: string; local: string }[]; isExport: boolean }

export type Units = {
  functions: FunctionUnit[]
  statements: StatementUnit[]
  imports: Import[]
  /** Whether it has variables that one call can leave for the next, such as a cache. */
  hasMemory: boolean
}

type AnyNode = { type: string; start: number; end: number } & Record<string, unknown>

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Only tell the compiler something. */
const TYPES = new Set(
  [
    'start end range loc typeAnnotation returnType typeParameters typeArguments superTypeArguments implements declare accessibility readonly',
    'definite parent abstract override',
  ].flatMap((line) => line.split(' ')),
)
const TYPE_WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'ParenthesizedExpression',
  'TSInstantiationExpression',
])
const MEMORY = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'LRUCache'])

const isNode = (value: unknown): value is AnyNode => typeof value === 'object' && value !== null && 'type' in value

const isFunction = (node: AnyNode) => FUNCTIONS.has(node.type) && isNode(node.body)

const isTypeOnly = (node: AnyNode) =>
  (node.type.startsWith('TS') && !TYPE_WRAPPERS.has(node.type) && !/^TS(Enum|Module|ExportAssignment|ParameterProperty)/.test(node.type)) ||
  node.importKind === 'type' ||
  node.exportKind === 'type' ||
  (node.type === 'FunctionExpression' && node.body === null)

/** Whether this name is one of a property or a label, and so no variable. */
const isPropertyName = (parent: AnyNode, key: string) =>
  !parent.computed &&
  ((parent.type === 'MemberExpression' && key === 'property') ||
    (key === 'key' && !parent.shorthand) ||
    (parent.type === 'JSXAttribute' && key === 'name'))

/** Reads one unit: its text in a form that layout does not change, its names, and the functions that it contains. */
function readUnit(root: AnyNode) {
  const parts: string[] = []
  const names = new Set<string>()
  const functions: AnyNode[] = []
  const visit = (value: unknown, parent: AnyNode, key: string) => {
    if (Array.isArray(value)) {
      parts.push('[')
      for (const each of value) visit(each, parent, key)
      parts.push(']')
    } else if (isNode(value)) visitNode(value, parent, key)
    else if (value !== undefined && typeof value !== 'object')
      parts.push(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)))
  }
  const visitNode = (node: AnyNode, parent: AnyNode, key: string) => {
    if (isTypeOnly(node)) return
    if (TYPE_WRAPPERS.has(node.type)) return visit(node.expression, parent, key)
    if (node !== root && isFunction(node)) {
      functions.push(node)
      parts.push('function')
      // Its name is that of the statement; all else is its own unit.
      if (node.type === 'FunctionDeclaration') visit(node.id, node, 'id')
      return
    }
    if ((node.type === 'Identifier' || node.type === 'JSXIdentifier') && !isPropertyName(parent, key)) names.add(String(node.name))
    if (node.type === 'Literal') return void parts.push(String(node.raw))
    parts.push(node.type)
    for (const [name, value] of Object.entries(node)) if (name !== 'type' && !TYPES.has(name)) visit(value, node, name)
  }
  visitNode(root, root, '')
  return { hash: createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 8), names, functions }
}

const listBound = (pattern: unknown): string[] => {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [String(pattern.name)]
  const inner = [pattern.properties, pattern.elements, pattern.value, pattern.argument, pattern.left].flat()
  return inner.flatMap(listBound)
}

const unwrap = (node: unknown): AnyNode | undefined => {
  if (!isNode(node)) return undefined
  return TYPE_WRAPPERS.has(node.type) ? unwrap(node.expression) : node
}

/** Names that a statement declares, and the expressions that it evaluates. */
function readStatement(node: AnyNode): { declares: string[]; values: (AnyNode | undefined)[] } {
  if (node.type === 'ExportNamedDeclaration' && isNode(node.declaration)) return readStatement(node.declaration)
  if (node.type === 'ExportDefaultDeclaration')
    return { declares: ['default', ...listBound((node.declaration as AnyNode).id)], values: [unwrap(node.declaration)] }
  if (node.type === 'ExportNamedDeclaration')
    return { declares: (node.specifiers as AnyNode[]).flatMap(({ exported }) => listBound(exported)), values: [node] }
  if (node.type === 'VariableDeclaration') {
    const declarations = node.declarations as AnyNode[]
    return { declares: declarations.flatMap(({ id }) => listBound(id)), values: declarations.map(({ init }) => unwrap(init)) }
  }
  return { declares: listBound(node.id), values: [node] }
}

const isImport = (node: AnyNode) =>
  node.type === 'ImportDeclaration' ||
  node.type === 'ExportAllDeclaration' ||
  (node.type === 'ExportNamedDeclaration' && isNode(node.source))

const hasMemory = (node: AnyNode) => {
  const inner = isNode(node.declaration) ? node.declaration : node
  if (inner.type !== 'VariableDeclaration') return false
  const { values } = readStatement(inner)
  return (
    inner.kind === 'let' || values.some((value) => value?.type === 'NewExpression' && MEMORY.has(String((value.callee as AnyNode).name)))
  )
}

const findMarks = ({ body, type }: AnyNode): FunctionUnit['marks'] => {
  const { start, end, type: bodyType } = body as AnyNode
  return type === 'ArrowFunctionExpression' && bodyType !== 'BlockStatement' ? [start, end] : [start + 1]
}

/** Divides a source file into units, in the order of its text. */
export function parseUnits(path: string, text: string): Units {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const body = (program.body as unknown as AnyNode[]).filter((node) => !isTypeOnly(node) && !isImport(node))
  const functions: FunctionUnit[] = []
  const addFunctions = (nodes: AnyNode[], statement: number) => {
    for (const node of nodes) {
      const { hash, names, functions: inner } = readUnit(node)
      functions.push({ hash, names, statement, marks: findMarks(node) })
      addFunctions(inner, statement)
    }
  }
  const statements = body.map((node, index): StatementUnit => {
    const own = isFunction(node) ? { hash: '', names: new Set<string>(), functions: [node] } : readUnit(node)
    const { declares, values } = readStatement(node)
    addFunctions(own.functions, index)
    const names = new Set([...own.names].filter((name) => !declares.includes(name)))
    return { hash: own.hash, names, declares, isPlain: values.every((value) => value === undefined || isFunction(value)) }
  })
  const imports = module.staticImports.map(
    ({ moduleRequest, entries }): Import => ({
      from: moduleRequest.value,
      isExport: false,
      names: entries
        .filter(({ isType }) => !isType)
        .map(({ importName, localName }) => ({
          imported: importName.kind === 'Default' ? 'default' : (importName.name ?? '*'),
          local: localName.value,
        })),
    }),
  )
  const exports = module.staticExports.flatMap(({ entries }) => entries).filter(({ moduleRequest, isType }) => moduleRequest && !isType)
  return {
    functions,
    statements,
    imports: [
      ...imports.filter(({ names }) => names.length > 0),
      ...exports.map(
        ({ moduleRequest, importName, exportName }): Import => ({
          from: moduleRequest!.value,
          isExport: true,
          names: [{ imported: importName.name ?? '*', local: exportName.name ?? '*' }],
        }),
      ),
    ],
    hasMemory: body.some(hasMemory),
  }
}

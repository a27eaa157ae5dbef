import { parseSync } from 'oxc-parser'
import { type Files, isCode, isSource, isTest, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'
import { findBoundaryProblem, isBoundary } from './separable.ts'

/** Finds groups of nodes that reach each other (Tarjan's strongly connected components of more than one node). */
export function findCycles(edges: { from: string; to: string }[]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string) => {
    const index = order.size
    order.set(node, index)
    let low = index
    stack.push(node)
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) visit(other)
      if (stack.includes(other)) low = Math.min(low, lowest.get(other) ?? order.get(other) ?? low)
    }
    lowest.set(node, low)
    if (low !== index) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) cycles.push(group.sort())
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node)
  return cycles
}

/** An import; both ends are paths from the project folder, or the name of a package. */
type Edge = { from: string; to: string; isDynamic?: boolean }
/** `foreign` applies only between two rooms, which are the folders directly below a top-level one. */
type Layer = { from: RegExp; except?: RegExp; to: RegExp; but?: RegExp; foreign?: true; why: string }

const SQL = /^(drizzle-orm|better-sqlite3)/
const STORES = /\.store\.ts$|^server\/mock\/(worlds|seed|city|lib)\//

/** Forbidden imports, for code other than tests. The first matching layer is reported. */
const LAYERS: Layer[] = [
  {
    from: /^contracts\//,
    to: /^(db|server|web|locales|scripts|e2e)\//,
    why: 'contracts are shared by all: they import only each other',
  },
  {
    from: /^contracts\/rules\//,
    to: /^contracts\/(?!rules\/|lib\/(currencies|errors|languages|rights|unknown-values)\.ts$|limits\/)/,
    why: 'rules are pure: they import limits, and of lib only what has no schemas',
  },
  { from: /^db\//, to: /^(server|web|locales|scripts|e2e)\//, why: 'db imports contracts only; rules and wording belong to server/' },
  { from: /^(server|web)\//, to: /^(scripts|e2e)\//, why: 'scripts and e2e use the product, never the other way round' },
  { from: /^server\//, to: /^web\//, why: 'the server does not depend on the portal: put shared code in contracts/' },
  { from: /^server\//, to: /^locales\/.*\/portal/, why: 'these are texts of the portal; mails have their own in mail.json' },
  {
    from: /^server\//,
    except: /^server\/mock\//,
    to: /^server\/mock\//,
    why: 'production contains no mock code: take what you need as an argument',
  },
  { from: /^server\//, except: STORES, to: SQL, why: 'only *.store.ts and db/ use SQL: add a named query to the store' },
  {
    from: /^(server|db)\//,
    except: /^(server\/(mock\/|(backup|restore)\.ts)|db\/(sqlite|postgres|open)\/)/,
    to: /^db\/(sqlite|postgres)\//,
    why: 'only db/sqlite and db/postgres know the engine: use Db, DbReader and Tx of db/db.ts',
  },
  {
    from: /^server\/.*\.(store|present)\.ts$/,
    to: /\.handlers\.ts$/,
    why: 'handlers call stores and presenters, never the other way round',
  },
  {
    from: /^server\/(?!mock\/).*\.handlers\.ts$/,
    to: /^server\/.*\.store\.ts$/,
    foreign: true,
    why: 'handlers use the stores of their own room only: let the other room export a function',
  },
  { from: /^server\/(lib|ports)\//, to: /^server\/(?!lib\/|ports\/)/, why: 'lib and ports are below all rooms of the server' },
  { from: /^server\/http\//, to: /^server\/(?!http\/|lib\/|ports\/)/, why: 'http must not depend on a resource' },
  { from: /^web\//, to: /^(server|db)\//, why: 'the portal knows the server only through contracts/' },
  { from: /^web\//, to: /^locales\/.*\/mail\.json$/, why: 'these are texts of mails, which the server sends' },
  { from: /^web\/lib\//, to: /^web\/(?!lib\/)/, why: 'web/lib must not depend on the domain or on components' },
  { from: /^web\/ui\//, to: /^web\/(?!lib\/|ui\/|theme\/)/, why: 'web/ui must not depend on the domain' },
  {
    from: /^web\//,
    except: /^web\/app\//,
    to: /^web\/app\//,
    but: /^web\/app\/update\//,
    why: 'web/app composes the rooms: no room may depend on it',
  },
  {
    from: /^web\//,
    except: /^web\/(app\/|operator\/screens\.ts$)/,
    to: /-screens?\.tsx$/,
    why: 'only the route tables load screens: move shared code out of them',
  },
]

/** Rooms that may import each other, though their folders may not: an alert watches a place, and the screen of a place shows its alerts. */
const MUTUAL_ROOMS = ['web/alerts', 'web/places']

const folder = (path: string) => path.slice(0, path.lastIndexOf('/'))

const room = (path: string) => folder(path).split('/', 2).join('/')

const breaksLayer = (layer: Layer, { from, to }: Edge) =>
  layer.from.test(from) &&
  !layer.except?.test(from) &&
  layer.to.test(to) &&
  !layer.but?.test(to) &&
  !(layer.foreign && room(from) === room(to))

const findProblem = ({ from, to }: Edge) => {
  const boundary = findBoundaryProblem({ from, to })
  if (boundary || isTest(from)) return boundary
  const layer = LAYERS.find((one) => breaksLayer(one, { from, to }))
  if (layer) return layer.why
  return isTest(to) && !from.startsWith('scripts/') ? 'this is test support: move code that the product needs out of it' : undefined
}

const resolveImport = (from: string, specifier: string) => {
  const name = specifier.replace(/\?.*$/, '')
  if (name.startsWith('#')) return name.slice(1)
  return name.startsWith('.') ? `${folder(from)}/${name.replace(/^\.\//, '')}` : name
}

const parseImports = (path: string, text: string): { specifier: string; offset: number; isDynamic: boolean }[] => {
  const { module } = parseSync(path, text)
  const exported = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? []))
  const loaded = module.dynamicImports.map(({ moduleRequest }) => ({
    value: text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    start: moduleRequest.start,
    isDynamic: true,
  }))
  const loadedAtOnce = [...module.staticImports.map(({ moduleRequest }) => moduleRequest), ...exported]
  return [...loadedAtOnce.map((request) => ({ ...request, isDynamic: false })), ...loaded].map(({ value, start, isDynamic }) => ({
    specifier: value,
    offset: start,
    isDynamic,
  }))
}

const lineNumber = (text: string, offset: number) => text.slice(0, offset).split('\n').length

const roomOrPair = (path: string) => (MUTUAL_ROOMS.includes(room(path)) ? MUTUAL_ROOMS.join(' and ') : room(path))

const folderOrBoundary = (path: string) => (isBoundary(path) ? path : folder(path))

const findCycleProblems = (edges: Edge[], groupOf: (path: string) => string) => {
  const between = edges
    .filter(({ from, to }) => isCode(to) && !isTest(from) && !isTest(to) && groupOf(from) !== groupOf(to))
    .map((edge) => ({ edge, from: groupOf(edge.from), to: groupOf(edge.to) }))
  return findCycles(between).map((cycle) => {
    const within = between.filter(({ from, to }) => cycle.includes(from) && cycle.includes(to))
    return `the folders ${cycle.join(', ')} import each other in a cycle: ${within.map(({ edge }) => `${edge.from} imports ${edge.to}`).join('; ')}`
  })
}

/** All imports of our own code, tests left out. */
export const listImports = (files: Files): Edge[] =>
  selectFiles(files, isSource).flatMap(([path, text]) =>
    parseImports(path, text).map(({ specifier, isDynamic }) => ({ from: path, to: resolveImport(path, specifier), isDynamic })),
  )

/** Checks the layers, and that neither folders nor rooms import each other in a cycle. (Biome forbids cycles between files.) */
export const checkLayers = (files: Files): Finding => {
  const code = selectFiles(files, isCode)
  const read = code.flatMap(([path, text]) =>
    parseImports(path, text).map(({ specifier, offset }) => ({ from: path, to: resolveImport(path, specifier), specifier, text, offset })),
  )
  const problems = read.flatMap(({ from, to, specifier, text, offset }) => {
    const why = findProblem({ from, to })
    return why ? [`${from}:${lineNumber(text, offset)} imports ${specifier}: ${why}`] : []
  })
  const cycles = new Set([roomOrPair, folderOrBoundary].flatMap((groupOf) => findCycleProblems(read, groupOf)))
  return { fileCount: code.length, problems: [...problems, ...cycles] }
}

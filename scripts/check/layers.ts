import { parseSync } from 'oxc-parser'
import { isCode, isTest } from './code.ts'
import { findCycles } from './cycles.ts'
import { type Files, type Finding, pick } from './finding.ts'

/** An import; both ends are paths from the project folder, or the name of a package. */
type Edge = { from: string; to: string }
/** `foreign` applies only between two rooms, which are the folders directly below a top-level one. */
type Layer = { from: RegExp; except?: RegExp; to: RegExp; but?: RegExp; foreign?: true; why: string }

const SQL = /^(drizzle-orm|better-sqlite3)/
const STORES = /\.store\.ts$|^server\/mock\/(worlds|seed|city|lib)\//

/** Forbidden imports, for code other than tests. The first matching layer is reported. */
const LAYERS: Layer[] = [
  {
    from: /^contracts\//,
    to: /^(db|server|web|locales|scripts|e2e)\//,
    why: 'contracts are shared by all: they import nothing but themselves',
  },
  {
    from: /^contracts\/rules\//,
    to: /^contracts\/(?!rules\/|lib\/(constants|errors)\.ts$)/,
    why: 'rules are pure: they know constants and errors only',
  },
  { from: /^db\//, to: /^(server|web|locales|scripts|e2e)\//, why: 'db knows contracts only; rules and wording belong to server/' },
  { from: /^(server|web)\//, to: /^(scripts|e2e)\//, why: 'scripts and e2e use the product, never the other way round' },
  { from: /^server\//, to: /^web\//, why: 'the server does not know the portal; what both need belongs in contracts/' },
  { from: /^server\//, to: /^locales\/.*\/portal/, why: 'these are the words of the portal; mails have their own in mail.json' },
  {
    from: /^server\//,
    except: /^server\/mock\//,
    to: /^server\/mock\//,
    why: 'production contains no mock part: take what you need as an argument',
  },
  { from: /^server\//, except: STORES, to: SQL, why: 'only *.store.ts and db/ see SQL: ask the store a named question' },
  {
    from: /^server\/.*\.(store|present)\.ts$/,
    to: /\.handlers\.ts$/,
    why: 'handlers call stores and presenters, never the other way round',
  },
  {
    from: /^server\/(?!mock\/).*\.handlers\.ts$/,
    to: /^server\/.*\.store\.ts$/,
    foreign: true,
    why: 'handlers ask the stores of their own room; let the other room offer what you need',
  },
  { from: /^server\/(lib|ports)\//, to: /^server\/(?!lib\/|ports\/)/, why: 'lib and ports lie below every room of the server' },
  { from: /^server\/http\//, to: /^server\/(?!http\/|lib\/|ports\/)/, why: 'http knows no resource' },
  { from: /^web\//, to: /^(server|db)\//, why: 'the portal knows the server only by its contract' },
  { from: /^web\//, to: /^locales\/.*\/mail\.json$/, why: 'these are the words of mails, which the server sends' },
  { from: /^web\/lib\//, to: /^web\/(?!lib\/)/, why: 'web/lib knows no domain and no component' },
  { from: /^web\/ui\//, to: /^web\/(?!lib\/|ui\/|theme\/|signed-in\/)/, why: 'web/ui knows no domain' },
  {
    from: /^web\//,
    except: /^web\/app\//,
    to: /^web\/app\//,
    but: /^web\/app\/update\//,
    why: 'web/app composes the rooms; no room knows it',
  },
  {
    from: /^web\//,
    except: /^web\/app\//,
    to: /-screen\.tsx$/,
    why: 'only the route table loads screens; move what two screens share out of them',
  },
]

const roomOf = (path: string) => path.split('/', 2).join('/')

const isBroken = (layer: Layer, { from, to }: Edge) =>
  layer.from.test(from) &&
  !layer.except?.test(from) &&
  layer.to.test(to) &&
  !layer.but?.test(to) &&
  !(layer.foreign && roomOf(from) === roomOf(to))

const problemOf = ({ from, to }: Edge) => {
  const layer = LAYERS.find((one) => isBroken(one, { from, to }))
  if (layer) return layer.why
  return isTest(to) && !from.startsWith('scripts/')
    ? 'this serves tests only; what the product needs too lives outside of test files'
    : undefined
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Turns `#top/file.ts` and `./file.ts` into a path from the project folder. */
const resolve = (from: string, specifier: string) => {
  const name = specifier.replace(/\?.*$/, '')
  if (name.startsWith('#')) return name.slice(1)
  return name.startsWith('.') ? `${folderOf(from)}/${name.replace(/^\.\//, '')}` : name
}

const importsOf = (path: string, text: string): { specifier: string; offset: number }[] => {
  const { module } = parseSync(path, text)
  const exported = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? []))
  const loaded = module.dynamicImports.map(({ moduleRequest }) => ({
    value: text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    start: moduleRequest.start,
  }))
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest), ...exported, ...loaded].map(({ value, start }) => ({
    specifier: value,
    offset: start,
  }))
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

const cycleProblems = (edges: Edge[]) => {
  const inside = edges.filter(({ from, to }) => isCode(to) && !isTest(from) && !isTest(to))
  const between = inside.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) })).filter(({ from, to }) => from !== to)
  return findCycles(between).map((cycle) => {
    const within = inside.filter(
      ({ from, to }) => folderOf(from) !== folderOf(to) && cycle.includes(folderOf(from)) && cycle.includes(folderOf(to)),
    )
    return `the folders ${cycle.join(', ')} import each other in a cycle: ${within.map(({ from, to }) => `${from} imports ${to}`).join('; ')}`
  })
}

/** Checks the layers and that no two folders import each other. (Biome forbids cycles between files.) */
export const layers = (files: Files): Finding => {
  const code = pick(files, isCode)
  const read = code.flatMap(([path, text]) =>
    importsOf(path, text).map(({ specifier, offset }) => ({ from: path, to: resolve(path, specifier), specifier, text, offset })),
  )
  const problems = read
    .filter(({ from }) => !isTest(from))
    .flatMap(({ from, to, specifier, text, offset }) => {
      const why = problemOf({ from, to })
      return why ? [`${from}:${lineAt(text, offset)} imports ${specifier}: ${why}`] : []
    })
  return { looked: code.length, problems: [...problems, ...cycleProblems(read)] }
}

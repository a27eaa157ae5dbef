import { isCode } from '#scripts/check/files.ts'

/** Path of the imported file; undefined for packages. */
export const resolveImport = (from: string, specifier: string) => {
  const name = specifier.replace(/\?.*$/, '')
  if (name.startsWith('#')) return name.slice(1)
  if (!name.startsWith('.')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of name.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Also of what is loaded later. */
export const IMPORT = /(?:\bfrom |\bimport |\bimport\()'([^']+)'/g
export const LATER_IMPORT = /\bimport\('([^']+)'/g
export const STATIC_IMPORT = /(?:\bfrom |\bimport )'([^']+)'/g

const listImports = (path: string, text: string, pattern = IMPORT) =>
  [...text.matchAll(pattern)].flatMap(([, specifier]) => resolveImport(path, specifier!) ?? [])

/** The importers of each file. */
export function listImporters(files: ReadonlyMap<string, string>, pattern: RegExp) {
  const importers = new Map<string, Set<string>>()
  for (const [path, text] of files) {
    if (!isCode(path)) continue
    for (const imported of listImports(path, text, pattern)) importers.set(imported, (importers.get(imported) ?? new Set()).add(path))
  }
  return importers
}

/** A thread that loads sources is not recorded: it concerns the tests that start it. */
const THREAD = { entry: 'server/worker/worker.ts', starter: 'server/lib/workers/run-in-worker.ts' }
/** The programs that it starts are recorded. */
const RECORDED_STARTER = 'server/test/test-process.ts'

const PROGRAMS_OF_BUILD = ['server/main.ts', 'server/mock/main.ts', 'web/app/start/start.ts']

/** Files that start programs or threads which are not recorded, with all code that these load. */
export function listStarted(files: ReadonlyMap<string, string>) {
  const starters = [...files].filter(
    ([path, text]) => isCode(path) && path !== RECORDED_STARTER && /^import .*node:child_process/m.test(text),
  )
  const started = starters.map(([path, text]) => {
    const named = [...text.matchAll(/['"`]([\w./-]+\.(?:ts|mjs))['"`]/g)].map(([, name]) => name!).filter((name) => files.has(name))
    return [path, findReached(text.includes('dist/') ? [...named, ...PROGRAMS_OF_BUILD] : named, files)] as const
  })
  return new Map([...started, [THREAD.starter, findReached([THREAD.entry], files)] as const])
}

/** The files, and all code that they load. */
export function findReached(entries: readonly string[], files: ReadonlyMap<string, string>) {
  const reached = new Set(entries)
  for (const path of reached) for (const imported of listImports(path, files.get(path) ?? '')) if (isCode(imported)) reached.add(imported)
  return reached
}

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Imports of our own files. Text that only looks like one makes a list longer, which does no harm. */
const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([#.][^'"?]+)/g
const TYPES_ONLY = /\b(?:import|export) type (?:\{[^}]*\}|\* as \w+|\w+) from '[^']+'/g

const resolveImport = (from: string, specifier: string) =>
  specifier.startsWith('#') ? specifier.slice(1) : path.posix.join(path.posix.dirname(from), specifier)

/** Returns a function that lists which of our own files a file imports; a file that does not exist imports nothing. */
export function createImportReader() {
  const known = new Map<string, string[]>()
  return (file: string) => {
    const imports = known.get(file) ?? readImports(file)
    known.set(file, imports)
    return imports
  }
}

function readImports(file: string) {
  if (!/\.[mc]?[jt]sx?$/.test(file)) return []
  try {
    const text = readFileSync(file, 'utf8').replace(TYPES_ONLY, '')
    return [...text.matchAll(IMPORT)].map(([, specifier = '']) => resolveImport(file, specifier))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Lists files and all that they import, also through others. Paths start at the project folder, as everywhere here. */
export function listImported(files: readonly string[]): string[] {
  const read = createImportReader()
  const found = new Set(files)
  for (const file of found) for (const imported of read(file)) found.add(imported)
  return [...found].filter((file) => existsSync(file))
}

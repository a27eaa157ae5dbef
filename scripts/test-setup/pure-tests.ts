import { readdirSync } from 'node:fs'
import path from 'node:path'
import { createImportReader } from './imports.ts'

/** A test whose imports lead to none of these opens no database, no demo city and so no world or server. */
const OPENING = ['db/sqlite/driver.ts', 'db/postgres/open.ts', 'server/mock/city/testing.ts', 'scripts/test-setup/template-file.ts']

const FOLDERS = ['contracts', 'db', 'e2e', 'scripts', 'server', 'web']

/** Lists the test files, other than those of screens, in two groups: those that open no database and no demo city, and the others. */
export function sortTests(): { pure: string[]; others: string[] } {
  const read = createImportReader()
  const opening = new Set(OPENING)
  const pure = new Set<string>()
  const isPure = (test: string) => {
    const reached = new Set([test])
    for (const file of reached)
      for (const imported of read(file)) {
        if (opening.has(imported)) {
          opening.add(file)
          return false
        }
        if (!pure.has(imported)) reached.add(imported)
      }
    for (const file of reached) pure.add(file)
    return true
  }
  const tests = FOLDERS.flatMap(listTests)
  return { pure: tests.filter(isPure), others: tests.filter((test) => !pure.has(test)) }
}

const listTests = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()

/** Returns one pattern a folder, because Vitest compares every file of the repository with every pattern. */
export function toPatterns(tests: readonly string[]): string[] {
  const names = new Map<string, string[]>()
  for (const test of tests) {
    const { dir, base } = path.posix.parse(test)
    names.set(dir, [...(names.get(dir) ?? []), base])
  }
  return [...names].map(([dir, bases]) => (bases.length === 1 ? `${dir}/${bases[0]}` : `${dir}/{${bases.join(',')}}`))
}

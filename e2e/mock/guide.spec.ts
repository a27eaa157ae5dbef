import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '#e2e/portal.ts'

const EXAMPLES = 'e2e/examples'
const shown = [...readFileSync('docs/testing.md', 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text)
/** The examples for suites outside this repository, with Playwright or Cypress. */
const forOthers = shown.filter((text) => text.includes("'whereabouts/") || text.includes('cy.'))

test('docs/testing.md shows the examples exactly as they run', () => {
  const files = readdirSync(EXAMPLES).map((name) => readFileSync(path.join(EXAMPLES, name), 'utf8'))
  const examples = shown.filter((text) => !forOthers.includes(text))
  expect(examples.filter((text) => !files.some((file) => file.includes(text)))).toEqual([])
  expect(files.filter((file) => !examples.some((text) => file.includes(text)))).toEqual([])
})

/** Returns the packages a file needs at run time, including those of its imports; types don't count. */
function listPackages(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imported = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm)].map(
    ([, name = '']) => name,
  )
  return imported.flatMap((name) => {
    if (name.startsWith('./')) return listPackages(path.join(path.dirname(file), name), seen)
    return /^#(contracts|scripts)\//.test(name) ? listPackages(name.slice(1), seen) : [name]
  })
}

test('the fixture depends on contracts, zod and the search for a browser, not on Playwright', () => {
  expect([...new Set(listPackages('e2e/fixture/fixtures.ts'))].sort()).toEqual([
    'node:child_process',
    'node:fs',
    'node:fs/promises',
    'node:path',
    'zod/mini',
  ])
})

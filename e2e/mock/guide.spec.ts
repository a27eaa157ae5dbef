import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '#e2e/portal.ts'

const EXAMPLES = 'e2e/examples'
const shown = [...readFileSync('docs/testing.md', 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text)
const forOthers = shown.filter((text) => text.includes("'whereabouts/"))

test('docs/testing.md shows the examples exactly as they run', () => {
  const files = readdirSync(EXAMPLES).map((name) => readFileSync(path.join(EXAMPLES, name), 'utf8'))
  const examples = shown.filter((text) => !forOthers.includes(text))
  expect(examples.filter((text) => !files.some((file) => file.includes(text)))).toEqual([])
  expect(files.filter((file) => !examples.some((text) => file.includes(text)))).toEqual([])
})

test('another repository can extend its own Playwright with the fixture', () => {
  const folder = test.info().outputPath('another')
  mkdirSync(path.join(folder, 'node_modules/@playwright'), { recursive: true })
  symlinkSync(path.resolve('.'), path.join(folder, 'node_modules/whereabouts'))
  symlinkSync(path.resolve('node_modules/@playwright/test'), path.join(folder, 'node_modules/@playwright/test'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'playwright.config.ts'), 'export default {}')
  expect(forOthers).toHaveLength(1)
  writeFileSync(path.join(folder, 'portal.ts'), forOthers[0]!)
  writeFileSync(
    path.join(folder, 'a.spec.ts'),
    "import { test } from './portal.ts'\ntest('of another suite', ({ world }) => world.clock.now())\n",
  )
  const { TEST_WORKER_INDEX, TEST_PARALLEL_INDEX, ...env } = process.env
  const said = execFileSync(process.execPath, [path.resolve('node_modules/@playwright/test/cli.js'), 'test', '--list'], {
    cwd: folder,
    env,
  })
  expect(String(said)).toContain('of another suite')
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
    return name.startsWith('#contracts/') ? listPackages(name.slice(1), seen) : [name]
  })
}

test('the fixture depends on contracts and zod only, not on Playwright', () => {
  expect([...new Set(listPackages('e2e/fixture/fixtures.ts'))].sort()).toEqual(['node:fs/promises', 'zod/mini'])
})

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command } from './command.ts'

const importing = (what: string) => `import { x } from '${what}'\n\nexport const y = x\n`

const PLANTED: Record<string, [text: string, complaint: string]> = {
  'server/lib/parent.ts': [importing('../app.ts'), 'Import a file of another folder as #top'],
  'server/below.ts': [importing('./lib/parent.ts'), 'Import a file of another folder as #top'],
  'server/cycle-a.ts': [importing('./cycle-b.ts'), 'noImportCycles'],
  'server/cycle-b.ts': [importing('./cycle-a.ts'), 'noImportCycles'],
  'server/any.ts': ['export const x = (y: any) => y\n', 'noExplicitAny'],
  'server/log.ts': ["console.log('x')\n", 'noConsole'],
}

const ALLOWED: Record<string, string> = {
  'server/links/links.handlers.ts': importing('#server/devices/find.ts'),
  'server/links/present.ts': importing('./links.handlers.ts'),
  'scripts/seed.ts': "import { x } from '#server/app.ts'\n\nconsole.log(x)\n",
}

let folder = ''
let output = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whereabouts-lint-'))
  copyFileSync('biome.json', join(folder, 'biome.json'))
  const texts = [...Object.entries(PLANTED).map(([path, [text]]) => [path, text] as const), ...Object.entries(ALLOWED)]
  for (const [path, text] of texts) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  output = (await command('biome', ['lint', '--max-diagnostics=200', '--colors=off', '.'], { cwd: folder })).output
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Diagnostics of one file, from its name in a heading to the next heading. */
const saidOf = (path: string) =>
  output
    .split(/^(?=\S+:\d+:\d+ lint\/)/m)
    .filter((part) => part.split(':')[0]?.endsWith(path))
    .join('\n')

test.each(Object.entries(PLANTED))('the linter finds the violation planted in %s', (path, [, complaint]) => {
  expect(saidOf(path)).toContain(complaint)
})

test.each(Object.keys(ALLOWED))('the linter leaves %s alone', (path) => {
  expect(saidOf(path)).toBe('')
})

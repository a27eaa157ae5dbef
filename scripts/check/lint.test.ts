import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command } from './command.ts'

const importing = (what: string) => `import { x } from '${what}'\n\nexport const y = x\n`

const PLANTED: Record<string, [text: string, complaint: string]> = {
  'contracts/up.ts': [importing('#db/sqlite/open.ts'), 'it imports nothing of ours'],
  'contracts/scripts.ts': [importing('#scripts/seed.ts'), 'scripts and e2e look at the product'],
  'db/server.ts': [importing('#server/config.ts'), 'db knows contracts and nothing above'],
  'server/web.ts': [importing('#web/app/main.tsx'), 'The server does not know the portal'],
  'server/words.ts': [importing('#locales/en/portal.json'), 'mails have their own'],
  'server/links/links.handlers.ts': [importing('drizzle-orm'), 'Only store.ts and db/ see SQL'],
  'server/links/links.store.ts': [importing('#server/mock/worlds/worlds.ts'), 'production must not contain them'],
  'server/mock/sql.ts': [importing('drizzle-orm/sqlite-core'), 'Only store.ts and db/ see SQL'],
  'server/lib/parent.ts': [importing('../app.ts'), 'Another folder is imported as #top'],
  'web/features/map/server.tsx': [importing('#server/app.ts'), 'knows the server only by its contract'],
  'web/features/map/mail.tsx': [importing('#locales/en/mail.json'), 'words of the mails'],
  'web/ui/feature.tsx': [importing('#web/features/map/map.tsx'), 'ui and lib lie below'],
  'web/lib/layout.ts': [importing('#web/layouts/bare-layout.tsx'), 'ui and lib lie below'],
  'web/layouts/feature.tsx': [importing('#web/features/map/map.tsx'), 'A layout holds any screen'],
  'server/cycle-a.ts': [importing('./cycle-b.ts'), 'noImportCycles'],
  'server/cycle-b.ts': [importing('./cycle-a.ts'), 'noImportCycles'],
  'server/any.ts': ['export const x = (y: any) => y\n', 'noExplicitAny'],
  'server/log.ts': ["console.log('x')\n", 'noConsole'],
}

const ALLOWED: Record<string, string> = {
  'db/sqlite/open.ts': importing('drizzle-orm'),
  'server/tags/tags.store.ts': importing('drizzle-orm'),
  'server/mock/worlds/worlds.ts': importing('drizzle-orm'),
  'server/mock/main.ts': importing('#server/mock/worlds/worlds.ts'),
  'server/mail/mail.ts': importing('#locales/en/mail.json'),
  'server/links/links.handlers.test.ts': importing('#server/test/start-portal.ts'),
  'web/features/map/map.test.tsx': importing('#server/test/start-portal.ts'),
  'web/test/render.ts': importing('#server/test/start-portal.ts'),
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

/** What the linter says of one file: from its name in a heading to the next heading. */
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

import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkLayers, findCycles } from './layers.ts'

const problemsOf = (entries: Record<string, string>) => checkLayers(new Map(Object.entries(entries))).problems
const importing = (to: string) => `import { x } from '${to}'\n\nexport const y = x\n`

const FORBIDDEN = [
  ['contracts/a.ts', '#db/scope.ts', 'contracts are shared by all'],
  ['contracts/rules/a.ts', '#contracts/trackers/devices.ts', 'rules are pure'],
  ['db/a.ts', '#server/config.ts', 'db imports contracts only'],
  ['server/a.ts', '#scripts/seed.ts', 'never the other way round'],
  ['web/tags/a.ts', '#e2e/words.ts', 'never the other way round'],
  ['server/a.ts', '#web/lib/clock.ts', 'the server does not depend on the portal'],
  ['server/mail/a.ts', '#locales/en/portal.json', 'mails have their own'],
  ['server/links/a.ts', '#server/mock/worlds/worlds.ts', 'production contains no mock code'],
  ['server/links/links.handlers.ts', 'drizzle-orm', 'only *.store.ts and db/ use SQL'],
  ['server/mock/panel/a.ts', 'better-sqlite3', 'only *.store.ts and db/ use SQL'],
  ['server/links/links.store.ts', '#server/trackers/devices.handlers.ts', 'handlers call stores and presenters'],
  ['server/links/links.handlers.ts', '#server/trackers/records/devices.store.ts', 'the stores of their own room only'],
  ['server/trackers/a.ts', '#db/sqlite/open.ts', 'only db/sqlite and db/postgres know the engine'],
  ['server/trackers/a.ts', '#db/postgres/open.ts', 'only db/sqlite and db/postgres know the engine'],
  ['db/sessions.ts', '#db/sqlite/driver.ts', 'only db/sqlite and db/postgres know the engine'],
  ['server/ports/a.ts', '#server/outbox/outbox.store.ts', 'are below all rooms'],
  ['server/http/a.ts', '#server/trackers/find.ts', 'http must not depend on a resource'],
  ['web/tags/a.ts', '#server/config.ts', 'only through contracts/'],
  ['web/tags/a.ts', '#locales/en/mail.json', 'texts of mails'],
  ['web/lib/a.ts', '#web/ui/notice.tsx', 'web/lib must not depend on'],
  ['web/ui/a.tsx', '#web/tags/tags.queries.ts', 'web/ui must not depend on'],
  ['web/ui/overlay/a.tsx', '#web/signed-in/user.queries.ts', 'web/ui must not depend on'],
  ['web/tags/a.ts', '#web/app/routes.tsx', 'no room may depend on it'],
  ['web/tags/a.ts', './tags-screen.tsx', 'only the route tables load screens'],
  ['server/links/a.ts', '#server/test/start-portal.ts', 'test support'],
  ['server/mock/stripe/api/a.ts', '#contracts/rules/price.ts', 'is separable: export from server/mock/stripe/port.ts'],
  ['server/mock/worlds/a.ts', '#server/mock/city/frame.ts', 'is separable: import it through server/mock/city/index.ts'],
  ['scripts/contracts/a.ts', '#server/mock/stripe/port.ts', 'is separable: import it through server/mock/stripe/index.ts'],
] as const

test('each forbidden import is reported with its line and reason, in every form of import', async () => {
  expect(
    await collectFailures(
      FORBIDDEN,
      ([from, to]) => `${from} imports ${to}`,
      ([from, to, why]) => {
        const withReason = (line: number) => [expect.stringMatching(`^${from}:${line} imports .*${why.replace('*', '\\*')}`)]
        expect(problemsOf({ [from]: importing(to) })).toEqual(withReason(1))
        expect(problemsOf({ [from]: `\nexport { x } from '${to}'\n` })).toEqual(withReason(2))
        expect(problemsOf({ [from]: `const x = await import('${to}')\n` })).toEqual(withReason(1))
        expect(problemsOf({ [from]: `import type { X } from '${to}'\n` })).toEqual(withReason(1))
      },
    ),
  ).toEqual([])
})

test('imports within the layers and imports of tests are allowed', async () => {
  const allowed = [
    ['db/sqlite/a.ts', 'drizzle-orm'],
    ['db/open/open-db.ts', '#db/sqlite/open.ts'],
    ['server/mock/worlds/a.ts', '#db/sqlite/open.ts'],
    ['server/tags/tags.store.ts', 'drizzle-orm'],
    ['server/tags/tags.handlers.ts', './tags.store.ts'],
    ['server/mock/main.ts', '#server/mock/worlds/worlds.ts'],
    ['server/links/links.handlers.test.ts', '#server/test/start-portal.ts'],
    ['web/tags/tags-screen.test.tsx', '#server/test/start-portal.ts'],
    ['web/app/routes.tsx', '#web/tags/tags-screen.tsx'],
    ['scripts/seed.ts', '#server/app.ts'],
  ] as const
  expect(
    await collectFailures(
      allowed,
      ([from, to]) => `${from} imports ${to}`,
      ([from, to]) => expect(problemsOf({ [from]: importing(to) })).toEqual([]),
    ),
  ).toEqual([])
})

test('an import in a comment or a string does not count', () => {
  expect(problemsOf({ 'db/a.ts': "// import { x } from '#web/a.ts'\nexport const a = \"import '#web/a.ts'\"\n" })).toEqual([])
})

test('rooms that import each other in a cycle are reported with the imports between them', () => {
  const problems = problemsOf({
    'server/a/one.ts': importing('#server/b/two.ts'),
    'server/b/two.ts': importing('#server/c/three.ts'),
    'server/c/three.ts': "import type { X } from '#server/a/other.ts'\n",
    'server/a/other.ts': 'export type X = string\n',
  })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('server/a, server/b, server/c')
  expect(problems[0]).toContain('server/c/three.ts imports server/a/other.ts')
})

test('rooms that import each other in a cycle are reported even when their folders do not', () => {
  const problems = problemsOf({
    'server/a/low/one.ts': importing('#server/b/two.ts'),
    'server/b/two.ts': 'export const x = 2\n',
    'server/b/high/three.ts': importing('#server/a/four.ts'),
    'server/a/four.ts': 'export const x = 4\n',
  })
  expect(problems).toEqual([
    'the folders server/a, server/b import each other in a cycle: server/a/low/one.ts imports server/b/two.ts; server/b/high/three.ts imports server/a/four.ts',
  ])
})

test('folders of one room that import each other in a cycle are reported', () => {
  const problems = problemsOf({
    'server/a/one/x.ts': importing('#server/a/two/y.ts'),
    'server/a/two/y.ts': importing('#server/a/one/z.ts'),
    'server/a/one/z.ts': 'export const x = 1\n',
  })
  expect(problems).toEqual([expect.stringContaining('the folders server/a/one, server/a/two import each other')])
})

test('places and alerts may import each other, but not in a cycle with a third room', () => {
  const pair = {
    'web/alerts/form/a.ts': importing('#web/places/places.queries.ts'),
    'web/places/places.queries.ts': 'export const x = 1\n',
    'web/places/edit/b.ts': importing('#web/alerts/alerts.queries.ts'),
    'web/alerts/alerts.queries.ts': 'export const x = 1\n',
  }
  expect(problemsOf(pair)).toEqual([])
  const third = {
    'web/places/edit/c.ts': importing('#web/history/track.ts'),
    'web/history/track.ts': importing('#web/alerts/alerts.queries.ts'),
  }
  expect(problemsOf({ ...pair, ...third })).toEqual([expect.stringContaining('the folders web/alerts and web/places, web/history import')])
})

test('an import in a test does not close a cycle', () => {
  expect(problemsOf({ 'server/a/one.ts': importing('#server/b/two.ts'), 'server/b/two.test.ts': importing('#server/a/one.ts') })).toEqual(
    [],
  )
})

test('two separate cycles are found as two groups', () => {
  const edges = ['ab', 'ba', 'bc', 'cd', 'de', 'ec'].map(([from = '', to = '']) => ({ from, to }))
  expect(findCycles(edges).sort()).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
})

import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkForbiddenText } from './forbidden-text.ts'

const problemsIn = (path: string, text: string) => checkForbiddenText(new Map([[path, `${text}\n`]])).problems

const FORBIDDEN: [name: string, path: string, text: string, why: string][] = [
  ['the system time', 'server/links/a.ts', 'const now = Date.now()', 'clock'],
  ['the system date', 'web/ui/a.tsx', 'const now = new Date()', 'clock'],
  ['randomness', 'contracts/a.ts', 'const x = Math.random()', 'random values'],
  ['the environment', 'db/a.ts', 'const x = process.env.PORT', 'server/config.ts'],
  ['the environment by name', 'server/a.ts', 'if (NODE_ENV) x()', 'server/config.ts'],
  ['a note to self', 'README.md', 'TODO: write', 'file an issue'],
  ['a silenced compiler', 'server/a.ts', '// @ts-nocheck', '@ts-expect-error'],
  ['an unexplained expected error', 'server/a.ts', '// @ts-expect-error\nx()', 'reason for the error'],
  ['an unexplained suppression', 'server/a.ts', '// biome-ignore lint/a11y/x: no', 'reason for the exception'],
  ['SQL of one database', 'server/jobs/jobs.store.ts', 'const due = sql`iif(a > b, 1, 0)`', 'only one database'],
  ['a scalar maximum', 'server/billing/a.store.ts', 'const x = 1\nconst v = sql<number>`max(a, b)`', 'only one database'],
  ['loading by hand', 'web/a/a-screen.tsx', 'const { data, isPending } = useQuery(aQuery())', 'a boundary'],
  ['loading by hand on many lines', 'web/a/a-screen.tsx', 'const {\n  data,\n  error,\n} = useQuery({\n  ...aQuery(),\n})', 'a boundary'],
  ['a query kept whole', 'web/a/a-screen.tsx', 'const all = useQuery(aQuery())\nif (all.isError) x(all.data)', 'a boundary'],
  ['many queries kept whole', 'web/a/a-screen.tsx', 'const lists = useQueries({\n  queries: [aQuery()] })', 'a boundary'],
  ['an unwritten test', 'server/a.test.ts', "test.todo('x')", 'finish the test'],
  ['a wait for time', 'e2e/a.spec.ts', 'await page.waitForTimeout(10)', 'not for a time'],
  ['a wait for time outside tests', 'scripts/a.ts', 'await page.waitForTimeout(10)', 'not for a time'],
  ['a wait for time in Python', 'examples/python/test_a.py', 'time.sleep(1)', 'not for a time'],
  ['a download address', 'package-lock.json', '"resolved": "https://somewhere/x.tgz"', 'omit-lockfile'],
  ['a registry', '.npmrc', 'registry=http://localhost:1', 'package registry'],
  ['a registry in a lock file', 'package-lock.json', '"x": "https://registry.example.org/x.tgz"', 'package registry'],
  ['a machine path', 'docs/a.md', 'see /home/ada/code', 'relative to the project'],
  ['a vague folder', 'web/utils/a.ts', 'export const x = 1', 'after their subject'],
  ['a barrel', 'server/links/index.ts', "export * from './a.ts'\nexport { b } from './b.ts'\n", 'the file that declares'],
]

test('each forbidden text is reported with its reason', async () => {
  expect(
    await collectFailures(
      FORBIDDEN,
      ([name]) => name,
      ([, path, text, why]) => expect(problemsIn(path, text).join('\n')).toContain(why),
    ),
  ).toEqual([])
})

const ALLOWED: [name: string, path: string, text: string][] = [
  ['the clock port', 'server/ports/clock.ts', 'const now = new Date()'],
  ['a given date', 'server/a.ts', 'const day = new Date(text)'],
  ['a comment', 'server/a.ts', '// never Date.now() here'],
  ['a string', 'server/a.ts', "throw new Error('set NODE_ENV')"],
  ['standard SQL', 'server/a.store.ts', 'const x = sql`case when a then max(b) else coalesce(c, 0) end`; const iif = substr(1)'],
  ['SQL of the mock server', 'server/mock/a.store.ts', 'const x = sql`rowid`'],
  ['a setting passed in', 'server/a.ts', 'if (config.NODE_ENV) x()'],
  ['an explained suppression', 'server/a.ts', '// biome-ignore lint/a11y/useThis: the map is no list'],
  [
    'the data of a query',
    'web/a.tsx',
    'const { data } = useQuery(aQuery())\nconst n = useQuery({ ...bQuery(), enabled }).data?.length ?? 0',
  ],
  ['the data of a query by a name', 'web/a.tsx', 'const { data: tags } = useQuery(tagsQuery())'],
  ['a suspense query', 'web/a.tsx', 'const { data, isFetching } = useSuspenseQuery(aQuery())\nconst lists = useSuspenseQueries({})'],
  ['a mutation', 'web/a.tsx', 'const { mutate, isPending } = useMutation({})'],
  ['polling', 'web/billing/subscriptions/checkout-return.tsx', 'const { data, isFetching } = useQuery({})'],
  ['composing exports', 'contracts/index.ts', "import { a } from './a.ts'\nexport const api = { a }\n"],
  ['a URL with a path like a machine', 'docs/a.md', 'https://example.com/root/a'],
]

test('text that only resembles a forbidden one is allowed', async () => {
  expect(
    await collectFailures(
      ALLOWED,
      ([name]) => name,
      ([, path, text]) => expect(problemsIn(path, text)).toEqual([]),
    ),
  ).toEqual([])
})

test('a violation is reported with its line number', () => {
  expect(problemsIn('server/a.ts', '/*\n\n*/\nDate.now()')).toEqual([expect.stringContaining('server/a.ts:4')])
})

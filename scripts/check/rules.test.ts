import { describe, expect, test } from 'vitest'
import { bars } from './bars.ts'
import { type Check, demandFiles, type Files, type Finding } from './finding.ts'
import { forbidden } from './forbidden.ts'
import { hosts } from './hosts.ts'
import { layers } from './layers.ts'
import { openapi } from './openapi.ts'

const files = (entries: Record<string, string>): Files => new Map(Object.entries(entries))
const lines = (count: number) => 'x\n'.repeat(count)
const problems = (finding: Finding) => finding.problems.join('\n')

describe('text rules', () => {
  test.each([
    ['the system time', 'server/links/a.ts', 'const now = Date.now()', 'clock'],
    ['the system date', 'web/ui/a.tsx', 'const now = new Date()', 'clock'],
    ['chance', 'contracts/a.ts', 'const x = Math.random()', 'chance'],
    ['the environment', 'db/a.ts', 'const x = process.env.PORT', 'server/config.ts'],
    ['the environment by name', 'server/a.ts', 'if (NODE_ENV) x()', 'server/config.ts'],
    ['a note to self', 'README.md', 'TODO: write', 'file an issue'],
    ['a silenced compiler', 'server/a.ts', '// @ts-ignore', '@ts-expect-error'],
    ['an unexplained expectation', 'server/a.ts', '// @ts-expect-error\nx()', 'why the error is expected'],
    ['an unexplained suppression', 'server/a.ts', '// biome-ignore lint/a11y/x: no', 'why the rule'],
    ['any', 'server/a.ts', 'const x = (y: any) => y', 'name the type'],
    ['any behind as', 'server/a.ts', 'const x = y as any', 'name the type'],
    ['a skipped test', 'server/a.test.ts', "test.skip('x', () => {})", 'runs or is not there'],
    ['a lone test', 'e2e/a.spec.ts', "test.only('x', () => {})", 'runs or is not there'],
    ['a wait for time', 'e2e/a.spec.ts', 'await page.waitForTimeout(10)', 'not for time'],
    ['a download address', 'package-lock.json', '"resolved": "https://somewhere/x.tgz"', 'omit-lockfile'],
    ['a registry', '.npmrc', 'registry=http://localhost:1', 'no package registry'],
    ['a registry in a lock file', 'package-lock.json', '"x": "https://registry.example.org/x.tgz"', 'no package registry'],
    ['a machine path', 'docs/a.md', 'see /home/ada/code', 'relative to the project'],
    ['a folder of strangers', 'web/utils/a.ts', 'export const x = 1', 'after what its files know'],
    ['a barrel', 'server/links/index.ts', "export * from './a.ts'\nexport { b } from './b.ts'\n", 'where a thing is made'],
  ])('finds %s', (_, path, text, why) => {
    expect(problems(forbidden(files({ [path]: `${text}\n` })))).toContain(why)
  })

  test.each([
    ['the clock port', 'server/ports/clock.ts', 'const now = new Date()'],
    ['a date that is given', 'server/a.ts', 'const day = new Date(text)'],
    ['a comment', 'server/a.ts', '// never Date.now() here'],
    ['a string', 'server/a.ts', "throw new Error('set NODE_ENV')"],
    ['a setting that came in', 'server/a.ts', 'if (config.NODE_ENV) x()'],
    ['an explained suppression', 'server/a.ts', '// biome-ignore lint/a11y/useThis: the map is no list'],
    ['the word any', 'server/a.ts', 'const any = matches(x, any)'],
    ['composing exports', 'contracts/index.ts', "import { a } from './a.ts'\nexport const api = { a }\n"],
    ['a URL with a path like a machine', 'docs/a.md', 'https://example.com/work/a'],
  ])('allows %s', (_, path, text) => {
    expect(forbidden(files({ [path]: `${text}\n` })).problems).toEqual([])
  })

  test('a violation is reported with its line number', () => {
    expect(problems(forbidden(files({ 'server/a.ts': '/*\n\n*/\nDate.now()\n' })))).toContain('server/a.ts:4')
  })
})

describe('sizes', () => {
  const sound = { 'server/a.ts': lines(40), 'server/a.test.ts': lines(40) }

  test('code within the size limits passes', () => {
    expect(bars(files(sound))).toEqual({ looked: 2, problems: [], remark: 'median 40, p90 40, tests/source 1.00' })
  })

  test.each([
    ['a long median', { 'server/a.ts': lines(51), 'server/a.test.ts': lines(90) }, 'the median'],
    ['too many long files', { ...sound, 'db/a.ts': lines(131), 'db/a.test.ts': lines(200) }, '90th percentile'],
    ['a very long file', { ...sound, 'db/a.ts': lines(301), 'db/a.test.ts': lines(301) }, 'db/a.ts is 301'],
    ['few tests', { 'server/a.ts': lines(40), 'server/a.test.ts': lines(31) }, '0.8 wanted'],
    ['deep folders', { ...sound, 'web/a/b/c/d/e.ts': lines(1), 'web/a.test.tsx': lines(2) }, 'flatter'],
  ])('finds %s', (_, entries, why) => {
    expect(problems(bars(files(entries)))).toContain(why)
  })

  test('a last line without a line feed is counted', () => {
    expect(bars(files({ 'server/a.ts': 'a\nb', 'server/a.test.ts': 'a\nb\n' })).remark).toContain('median 2')
  })
})

describe('built portal', () => {
  test('a script, style or picture from another host is reported', () => {
    const built = files({ 'index.html': '<script src="https://cdn.example/x.js">', 'a.css': 'x { background: url(//cdn.example/x.png) }' })
    expect(hosts(built).problems).toHaveLength(2)
  })

  test('a host that is not explained is reported, while an XML namespace passes', () => {
    expect(problems(hosts(files({ 'a.js': 'fetch("https://maps.tracker.com/x")' })))).toContain('maps.tracker.com')
    expect(hosts(files({ 'a.js': '"http://www.w3.org/2000/svg"' })).problems).toEqual([])
  })
})

describe('OpenAPI', () => {
  test('a missing and an outdated OpenAPI file are reported', () => {
    expect(problems(openapi(files({}), { 'docs/openapi.json': '{}' }))).toContain('missing')
    expect(problems(openapi(files({ 'docs/openapi.json': '{}' }), { 'docs/openapi.json': '{"a":1}' }))).toContain('differs')
    expect(openapi(files({ 'docs/openapi.json': '{}' }), { 'docs/openapi.json': '{}' }).problems).toEqual([])
  })
})

describe('every check', () => {
  const none: Files = new Map()
  const gates: [string, Check][] = [
    ['layers', () => layers(none)],
    ['text', () => forbidden(none)],
    ['bars', () => bars(none)],
    ['hosts', () => hosts(none)],
  ]

  test.each(gates)('%s over no file fails', async (_, gate) => {
    expect(problems(demandFiles(await gate()))).toContain('no file at all')
  })

  test('a check that was skipped for a reason passes without files', () => {
    expect(demandFiles({ looked: 0, problems: [], skipped: 'no answer' }).problems).toEqual([])
  })
})

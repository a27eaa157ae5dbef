import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/constants.ts'
import { budgets } from './budgets.ts'
import { isCode, isSource, isTest, lineCount, withoutComments, withoutStrings } from './code.ts'
import { asProblems, command } from './command.ts'
import { builtFiles, hosts } from './hosts.ts'
import { baseOf, countedKeys, expectedKeys } from './plurals.ts'
import { keyUse } from './used-keys.ts'
import { flatten, hasWords, placeholders } from './words.ts'

describe('what counts as source', () => {
  test.each([
    ['server/links/links.handlers.ts', true, false],
    ['web/app/app.tsx', true, false],
    ['scripts/setup/run.mjs', true, false],
    ['server/links/links.handlers.test.ts', true, true],
    ['web/test/render-at.tsx', true, true],
    ['server/test/start-portal.ts', true, true],
    ['e2e/login.spec.ts', true, true],
    ['docs/openapi.json', false, false],
    ['vite.config.ts', false, false],
  ])('%s is code: %s, and serves tests: %s', (path, code, test) => {
    expect([isCode(path), isTest(path)]).toEqual([code, test])
    expect(isSource(path)).toBe(code && !test)
  })

  test.each([
    ['', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\n\nb\n', 3],
  ])('%j has so many lines: %d', (text, count) => {
    expect(lineCount(text)).toBe(count)
  })
})

describe('comments and strings', () => {
  test('a comment is blanked but its lines stay, and a URL in a string is not taken for a comment', () => {
    expect(withoutComments('a /* x\ny */ b // z\nc')).toBe('a     \n     b     \nc')
    expect(withoutComments("const url = 'https://a.test'")).toBe("const url = 'https://a.test'")
  })

  test('plain strings are blanked, but code in a template string stays', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text under test is itself a template string
    const text = "f('Date.now()', `${Date.now()}`)"
    expect(withoutStrings(text)).not.toContain("'Date.now()'")
    expect(withoutStrings(text)).toContain('Date.now()')
  })
})

describe('texts of a language', () => {
  test('R-1.23 nested texts are flattened to dotted keys', () => {
    expect(flatten({ login: { title: 'Sign in', lead: { short: 'Hi' } }, ok: 'OK' })).toEqual([
      ['login.title', 'Sign in'],
      ['login.lead.short', 'Hi'],
      ['ok', 'OK'],
    ])
  })

  test.each([
    ['{{count}} of {{ total }}', 'count, total'],
    ['{{n, number}} and {{n}}', 'n'],
    ['{{- name}}', 'name'],
    ['none { here }', ''],
  ])('%s has the placeholders %j', (text, names) => {
    expect(placeholders(text)).toBe(names)
  })

  test.each([
    ['Sign in', true],
    ['{{count}} km', false],
    ['±{{distance}}', false],
    ['https://example.com/imprint', false],
    ['日本語です', true],
  ])('%s has something to translate: %s', (text, expected) => {
    expect(hasWords(text)).toBe(expected)
  })
})

describe('plural forms', () => {
  const english = ['title', 'days_one', 'days_other']

  test.each([
    ['en', ['one', 'other']],
    ['ja', ['other']],
    ['cs', ['one', 'few', 'many', 'other']],
    ['fr', ['one', 'many', 'other']],
  ])('%s needs %j', (language, forms) => {
    expect([...expectedKeys(english, language)].sort()).toEqual(['title', ...forms.map((form) => `days_${form}`)].sort())
  })

  test('R-1.23 every language needs at least the form "other"', () => {
    for (const language of LANGUAGES) expect(expectedKeys(english, language)).toContain('days_other')
  })

  test('R-1.23 a key that merely ends like a plural form is not one', () => {
    expect(countedKeys(['lost_one', 'one'])).toEqual(new Set())
    expect([baseOf('days_few'), baseOf('days_fewer')]).toEqual(['days', 'days_fewer'])
  })
})

describe('used keys', () => {
  const use = (text: string, isObject = false) => keyUse(new Map([['web/a.tsx', text]]), isObject)

  test.each<[string, string, string, boolean]>([
    ['written', "t('login.heading')", 'login.heading', true],
    ['only in a comment', "// t('login.heading')", 'login.heading', false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text under test is itself a template string
    ['made', 't(`error.${code}`)', 'error.expired', true],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text under test is itself a template string
    ['made elsewhere', 't(`error.${code}`)', 'title.expired', false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text under test is itself a template string
    ['made of nothing certain', 't(`${a}.${b}`)', 'error.expired', false],
  ])('a key that is %s', (_, text, key, expected) => {
    expect(use(text)(key)).toBe(expected)
  })

  test('R-1.23 a texts file imported as an object is read by property', () => {
    expect(use('words.total', true)('total')).toBe(true)
    expect(use('words.outcome[code]', true)('outcome.paid')).toBe(true)
    expect(use('words.total')('total')).toBe(false)
  })

  test('R-1.23 tests do not use keys', () => {
    expect(keyUse(new Map([['web/a.test.tsx', "t('login.heading')"]]))('login.heading')).toBe(false)
  })
})

describe('a tool', () => {
  test('the output of a tool includes stdout and stderr, and its exit code is returned', async () => {
    const answer = await command(process.execPath, ['-e', 'console.log("out"); console.error("err"); process.exit(3)'])
    expect(answer.status).toBe(3)
    expect(asProblems(answer).sort()).toEqual(['err', 'out'])
  })

  test('a tool that exits with 0 has no problems, whatever it prints', () => {
    expect(asProblems({ status: 0, output: 'warning: x\n' })).toEqual([])
  })

  test('a tool that does not exist is reported by name', async () => {
    expect(asProblems(await command('no-such-tool', [])).join()).toContain('no-such-tool')
  })

  test('a tool that hangs is killed', async () => {
    const answer = await command(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { limit: 300 })
    expect(answer.status).not.toBe(0)
  })
})

describe('a built portal on disk', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whereabouts-built-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const screens = { 'sign-in/login-screen.tsx': { file: 'login.js' }, 'home/home-screen.tsx': { file: 'home.js' } }
  const manifest = (chunks: object) =>
    write('.vite/manifest.json', JSON.stringify({ 'index.html': { file: 'index.js', isEntry: true }, ...chunks }))
  /** Text that does not compress. */
  const noise = (kilobytes: number) => {
    let [seed, text] = [1, '']
    while (text.length < kilobytes * 1000) {
      seed = (seed * 48_271) % 2_147_483_647
      text += String.fromCharCode(33 + (seed % 94))
    }
    return text
  }

  test('R-2.1 a portal within its budgets passes, and the remark shows its weight', () => {
    manifest(screens)
    for (const file of ['index.js', 'login.js', 'home.js']) write(file, 'x')
    expect(budgets(folder)).toMatchObject({
      looked: 3,
      problems: [],
      remark: expect.stringMatching(/^login 0\.\d\/180 kB, map 0\.\d\/270 kB$/),
    })
  })

  test('R-2.1 a page over its budget is reported with its weight', () => {
    manifest(screens)
    for (const file of ['index.js', 'home.js']) write(file, 'x')
    write('login.js', noise(260))
    expect(budgets(folder).problems).toEqual([
      expect.stringMatching(/^the login page needs 2\d\d\.\d kB of JavaScript, at most 180 allowed$/),
    ])
  })

  test('R-2.1 a screen without a chunk of its own is reported as not loaded lazily', () => {
    manifest({ 'sign-in/login-screen.tsx': { file: 'login.js' } })
    for (const file of ['index.js', 'login.js']) write(file, 'x')
    expect(budgets(folder).problems).toEqual([expect.stringContaining('for the map page: is its screen loaded lazily?')])
  })

  test('scripts and pages of a build are read from all folders, but not pictures and fonts', () => {
    write('assets/a.js', '"https://cdn.tracker.com"')
    write('index.html', '<p>')
    write('assets/inter.woff2', 'https://fonts.tracker.com')
    const files = builtFiles(folder)
    expect([...files.keys()].sort()).toEqual(['assets/a.js', 'index.html'])
    expect(hosts(files).problems).toEqual([expect.stringContaining('cdn.tracker.com')])
  })

  test('a missing build has no files', () => {
    expect(builtFiles(join(folder, 'none')).size).toBe(0)
  })
})

import { expect, test } from 'vitest'
import { blankComments, blankStrings, countLines, isCode, isSource, isTest } from './files.ts'

test('code, source and test files are distinguished by path', () => {
  const paths = {
    'server/links/links.handlers.ts': 'source',
    'web/app/app.tsx': 'source',
    'scripts/setup/run.mjs': 'source',
    'server/links/links.handlers.test.ts': 'test',
    'web/test/render-at.tsx': 'test',
    'server/test/start-portal.ts': 'test',
    'e2e/login.spec.ts': 'test',
    'docs/openapi.json': 'neither',
    'vite.config.ts': 'neither',
  }
  const kindOf = (path: string) => (isCode(path) ? (isTest(path) ? 'test' : 'source') : 'neither')
  expect(Object.fromEntries(Object.keys(paths).map((path) => [path, kindOf(path)]))).toEqual(paths)
  expect(Object.keys(paths).filter(isSource)).toEqual(Object.keys(paths).filter((path) => kindOf(path) === 'source'))
})

test('lines are counted with and without a final line feed', () => {
  expect(['', 'a', 'a\n', 'a\nb', 'a\n\nb\n'].map(countLines)).toEqual([1, 1, 1, 2, 3])
})

test('a comment is blanked but its lines stay, and a URL in a string is not taken for a comment', () => {
  expect(blankComments('a /* x\ny */ b // z\nc')).toBe('a     \n     b     \nc')
  expect(blankComments("const url = 'https://a.test'")).toBe("const url = 'https://a.test'")
})

test('plain strings are blanked, but code in a template string stays', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text under test is itself a template string
  const text = "f('Date.now()', `${Date.now()}`)"
  expect(blankStrings(text)).not.toContain("'Date.now()'")
  expect(blankStrings(text)).toContain('Date.now()')
})

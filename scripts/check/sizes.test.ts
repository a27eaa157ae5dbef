import { expect, test } from 'vitest'
import { checkSizes, LIMITS } from './sizes.ts'

const lines = (count: number) => 'x\n'.repeat(count)
const listProblems = (files: Record<string, string>, limits = LIMITS) => checkSizes(new Map(Object.entries(files)), limits).problems
const VALID = { 'server/a.ts': lines(40), 'server/a.test.ts': lines(40) }

test('code within the limits passes, and the remark shows the figures', () => {
  expect(checkSizes(new Map(Object.entries(VALID)))).toEqual({
    fileCount: 2,
    problems: [],
    remark: '0 folders over 20 files, 0 splinters',
  })
})

test('a source file over 300 lines is reported', () => {
  expect(listProblems({ 'db/a.ts': lines(300), 'db/a.test.ts': lines(900) })).toEqual([])
  expect(listProblems({ 'db/a.ts': `${lines(300)}x`, 'db/a.test.ts': lines(900) })).toEqual([
    'db/a.ts has 301 lines, at most 300 allowed: split it by subject',
  ])
})

test('a file more than three folders below its top-level one is reported', () => {
  expect(listProblems({ ...VALID, 'web/a/b/c/d/e.test.ts': lines(1) })).toEqual([expect.stringContaining('flatten the folders')])
})

const folder = (name: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`web/${name}/${index}.${index % 2 ? 'module.css' : 'test.tsx'}`, 'x\n']))

test('folders with more than 20 files are reported once there are too many of them', () => {
  const files = { ...folder('full', 20), ...folder('crowded', 21), ...folder('packed', 30), 'web/packed/1.svg': 'x' }
  expect(listProblems(files, { ...LIMITS, crowdedFolders: 2 })).toEqual([])
  expect(listProblems(files, { ...LIMITS, crowdedFolders: 1 })).toEqual([
    'web/packed has 30 files, more than 20: divide it by subject',
    'web/crowded has 21 files, more than 20: divide it by subject',
  ])
})

const none = { ...LIMITS, splinters: 0 }
const SHORT = { 'web/map/pin.ts': lines(39), 'web/map/map.ts': `import './pin.ts'\n${lines(60)}` }

test('a short file whose only importer lies in the same folder is reported once there are too many of them', () => {
  expect(listProblems(SHORT, { ...LIMITS, splinters: 1 })).toEqual([])
  expect(listProblems(SHORT, none)).toEqual([
    'web/map/pin.ts has 39 lines and is imported by web/map/map.ts only, one of 1 such files, at most 0 allowed: merge the two',
  ])
})

test.each([
  ['has 40 lines', { ...SHORT, 'web/map/pin.ts': lines(40) }],
  ['has an importer in another folder', { ...SHORT, 'web/map/map.ts': 'x\n', 'web/home/home.ts': "import '#web/map/pin.ts'\n" }],
  ['has two importers', { ...SHORT, 'web/map/list.ts': "export * from './pin.ts'\n" }],
  ['is a chunk of its own', { ...SHORT, 'web/map/map.ts': "await import('./pin.ts')\n" }],
  ['is a test', { 'web/map/test-pin.ts': 'x\n', 'web/map/map.test.ts': "import './test-pin.ts'\n" }],
])('a short file that %s is no splinter', (_, files) => {
  expect(listProblems(files, none)).toEqual([])
})

test('tests are no importers', () => {
  const files = { ...SHORT, 'web/map/pin.test.ts': "import './pin.ts'\n", 'web/home/home.test.ts': "import '#web/map/pin.ts'\n" }
  expect(listProblems(files, none)).toHaveLength(1)
})

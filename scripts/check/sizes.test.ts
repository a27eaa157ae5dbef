import { expect, test } from 'vitest'
import { checkSizes, LIMITS } from './sizes.ts'

const lines = (count: number) => 'x\n'.repeat(count)
const problemsOf = (files: Record<string, string>, limits = LIMITS) => checkSizes(new Map(Object.entries(files)), limits).problems
const VALID = { 'server/a.ts': lines(40), 'server/a.test.ts': lines(40) }

test('code within the limits passes, and the remark shows the figures', () => {
  expect(checkSizes(new Map(Object.entries(VALID)))).toEqual({
    fileCount: 2,
    problems: [],
    remark: '1 source files, 0 folders over 20, tests/source 1.00',
  })
})

test('a source file over 300 lines is reported', () => {
  expect(problemsOf({ 'db/a.ts': lines(300), 'db/a.test.ts': lines(900) })).toEqual([])
  expect(problemsOf({ 'db/a.ts': `${lines(300)}x`, 'db/a.test.ts': lines(900) })).toEqual([
    'db/a.ts has 301 lines, at most 300 allowed: split it by subject',
  ])
})

test('a file more than three folders below its top-level one is reported', () => {
  expect(problemsOf({ ...VALID, 'web/a/b/c/d/e.test.ts': lines(1) })).toEqual([expect.stringContaining('flatten the folders')])
})

test('too few lines of tests are reported', () => {
  expect(problemsOf({ 'server/a.ts': lines(40), 'server/a.test.ts': lines(31) })).toEqual([
    '31 lines of tests for 40 of source is 0.78, at least 0.8 required',
  ])
})

const folder = (name: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`web/${name}/${index}.${index % 2 ? 'module.css' : 'test.tsx'}`, 'x\n']))

test('folders with more than 20 files are reported once there are too many of them', () => {
  const files = { ...folder('full', 20), ...folder('crowded', 21), ...folder('packed', 30), 'web/packed/1.svg': 'x' }
  const ratioless = { ...LIMITS, testRatio: 0 }
  expect(problemsOf(files, { ...ratioless, crowdedFolders: 2 })).toEqual([])
  expect(problemsOf(files, { ...ratioless, crowdedFolders: 1 })).toEqual([
    'web/packed has 30 files, more than 20: divide it by subject',
    'web/crowded has 21 files, more than 20: divide it by subject',
  ])
})

test('too many source files are reported', () => {
  const files = { ...VALID, 'db/b.ts': lines(1) }
  expect(problemsOf(files, { ...LIMITS, sourceFiles: 2 })).toEqual([])
  expect(problemsOf(files, { ...LIMITS, sourceFiles: 1 })).toEqual([expect.stringContaining('there are 2 source files, at most 1 allowed')])
})

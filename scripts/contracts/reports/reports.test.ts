// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { createRedactor } from '#scripts/contracts/client/recorder.ts'
import type { Result } from '#scripts/contracts/client/run.ts'
import { formatHtml, formatJunit, formatTable } from './formats.ts'
import { createReport } from './report.ts'

const result = (name: string, change: Partial<Result>): Result => ({
  level: 'reads',
  name,
  title: '',
  verdict: 'pass',
  findings: [],
  note: '',
  ...change,
})
const failing = (message: string): Partial<Result> => ({ verdict: 'fail', findings: [{ verdict: 'fail', path: 'a.*.b', message }] })

const parts = {
  base: 'https://api.tracker.example',
  at: new Date('2026-03-02T09:00:00Z'),
  assumed: [
    { name: 'tags.list', state: 'refuted' as const, reason: 'expected <array> & nothing else' },
    { name: 'theft.close', state: 'untested' as const, reason: 'it destroys' },
  ],
  redactor: createRedactor(),
}
const known = createReport({ ...parts, results: [result('known', failing('as ever'))], baseline: undefined })
const report = createReport({
  ...parts,
  results: [
    result('good', { note: '200 GET /good/' }),
    result('bad', failing('"<b>" & \u0007 more')),
    result('known', failing('as ever')),
    result('more', { verdict: 'drift+', findings: [{ verdict: 'drift+', path: 'x', message: 'not in the contract' }] }),
    result('none', { level: 'write', title: 'after creating', verdict: 'unreachable', note: 'connect ECONNREFUSED' }),
    result('later', { level: 'write', verdict: 'skipped', note: 'nobody is signed in' }),
  ],
  baseline: known,
})

test('failures in the baseline count as known and drift never fails', () => {
  expect(report.results.filter((line) => line.known).map(({ name }) => name)).toEqual(['known'])
  expect(report.counts).toEqual({ pass: 1, 'drift+': 1, 'enum?': 0, tolerated: 0, fail: 2, unreachable: 1, skipped: 1 })
  expect([
    report.clean,
    known.clean,
    createReport({ ...parts, results: [result('known', failing('as ever'))], baseline: known }).clean,
  ]).toEqual([false, false, true])
})

test('another failure at the same check is new', () => {
  expect(createReport({ ...parts, results: [result('known', failing('otherwise'))], baseline: known })).toMatchObject({
    clean: false,
    mended: ['reads known: a.*.b: as ever'],
  })
})

test('the counts of the JUnit report match its elements', () => {
  const document = new DOMParser().parseFromString(formatJunit(report), 'text/xml')
  const suites = [...document.querySelectorAll('testsuites, testsuite')]
  expect(suites.map((suite) => ['name', 'tests', 'failures', 'skipped'].map((name) => suite.getAttribute(name)))).toEqual([
    [parts.base, '8', '2', '3'],
    ['reads', '4', '1', '1'],
    ['write', '2', '1', '1'],
    ['assumed', '2', '0', '1'],
  ])
  for (const suite of suites)
    for (const [counted, tag] of [
      ['tests', 'testcase'],
      ['failures', 'failure'],
      ['skipped', 'skipped'],
    ])
      expect(suite.querySelectorAll(tag!).length).toBe(Number(suite.getAttribute(counted!)))
  expect(document.querySelector('[name="bad"] failure')?.getAttribute('message')).toBe('a.*.b: "<b>" &  more')
  expect(document.querySelector('[name="none, after creating"] failure')?.textContent).toBe('connect ECONNREFUSED')
  expect(document.querySelector('[name="tags.list"] system-out')?.textContent).toBe('refuted expected <array> & nothing else')
})

test('the HTML report is self-contained and shows every line', () => {
  const document = new DOMParser().parseFromString(formatHtml(report), 'text/html')
  expect(document.querySelectorAll('[src], [href], script, link')).toHaveLength(0)
  expect(document.querySelectorAll('tr')).toHaveLength(report.results.length + report.assumed.length)
  expect(document.querySelector('h1')?.textContent).toBe(parts.base)
  expect(document.body.textContent).toContain('"<b>" &  more')
  expect([...document.querySelectorAll('td.bad')].map((cell) => cell.textContent)).toEqual(['fail', 'unreachable', 'refuted'])
})

test('the table shows known failures in brackets', () => {
  expect(formatTable(report)).toMatch(/\n {2}fail +bad\n +a\.\*\.b: "<b>" & .* more\n {2}\(fail\) +known\n/)
  expect(formatTable(report)).toMatch(/1 pass, 1 drift\+, 2 fail, 1 unreachable, 1 skipped\nNot clean\.\n$/)
})

test('known secrets and text that looks like a secret are redacted', () => {
  const redactor = createRedactor()
  redactor.add('abc-123')
  redactor.add('')
  expect(redactor.redact('Bearer abc-123 {"token": "xyz"}')).toBe('Bearer [redacted] {"token": "[redacted]"}')
})

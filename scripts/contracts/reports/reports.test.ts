// @vitest-environment jsdom
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tolerate } from '#scripts/contracts/client/findings.ts'
import { createRedactor } from '#scripts/contracts/client/recorder.ts'
import { NOT_SIGNED_IN, type Result } from '#scripts/contracts/client/run.ts'
import { createTempFolder } from '#scripts/contracts/test-io.ts'
import { formatJunit, formatTable } from './formats.ts'
import { formatHtml } from './html.ts'
import { createReport, readBaseline } from './report.ts'

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

const withFeatures = createReport({
  ...parts,
  results: [
    result('places.list', { verdict: 'tolerated', findings: [tolerate('no-endpoint', '', { message: '404 GET /tracker_places/' })] }),
    result('devices.list', { verdict: 'tolerated', findings: [tolerate('number-as-text', '*.tracker_status.battery')] }),
    result('tags.list', failing('Invalid input: expected array, received object')),
    ...['alerts.get', 'devices.get', 'orders.read', 'theft.read'].map((name) => result(name, failing('404 instead of 401'))),
    result('contacts.list', { verdict: 'skipped', note: NOT_SIGNED_IN }),
  ],
  features: [
    {
      name: 'places',
      state: 'missing',
      call: 'places.list',
      note: '404 GET /tracker_places/',
      leftOut: 'places, and alerts about them',
      isDocumented: false,
    },
    { name: 'tags', state: 'there', call: 'tags.list', note: '200', leftOut: 'tags', isDocumented: false },
  ],
  baseline: undefined,
})
const page = new DOMParser().parseFromString(formatHtml(withFeatures), 'text/html')
const readTable = (heading: string) => {
  const title = [...page.querySelectorAll('h2, h3')].find(({ textContent }) => textContent?.startsWith(heading))
  let next = title?.nextElementSibling
  while (next && !next.querySelector('table')) next = next.nextElementSibling
  return [...(next?.querySelectorAll('tbody tr') ?? [])].map((row) => [...row.querySelectorAll('td')].map((one) => one.textContent))
}

test("the HTML report is self-contained and follows the reader's light or dark theme", () => {
  expect(page.querySelectorAll('[src], [href], script, link')).toHaveLength(0)
  expect(page.querySelector('style')?.textContent).toContain('color-scheme: light dark')
  expect(page.querySelector('h1')?.textContent).toBe(parts.base)
  expect(formatHtml(report)).toContain('&quot;&lt;b&gt;&quot; &amp;  more')
})

test('the HTML report begins with what to fix and what was not checked', () => {
  const [outcome, sums] = [page.querySelector('strong'), page.querySelector('.sums')]
  expect(outcome?.textContent).toContain('Not clean, and not checked, because no user is signed in: 1 call (contacts.list)')
  expect([...(sums?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    '2to fix',
    '2that the portal copes with',
    '1features missing',
    '0checks passed',
  ])
  expect(page.querySelector('h3')?.nextElementSibling?.textContent).toContain('404 instead of 401 on 4 calls: alerts.get, devices.get')
})

test('the HTML report explains each deviation by what was received, what the contract says, what the portal does and how to fix it', () => {
  expect(readTable('devices.list')).toEqual([
    [
      'tolerated',
      '*.tracker_status.battery',
      'a number as text',
      'a number',
      'read as the number; nothing is missing',
      'send the number without quotes (Django REST framework: COERCE_DECIMAL_TO_STRING = False)',
    ],
  ])
  expect(readTable('tags.list')).toEqual([['fail', 'a.*.b', 'object', 'array', 'cannot use it', 'answer as the contract says']])
  expect(readTable('Deviations of many calls')).toMatchObject([
    ['fail', expect.stringContaining('4 calls'), '404', '401', 'cannot use it', expect.anything()],
  ])
})

test('the HTML report lists missing features with what the portal hides', () => {
  expect(readTable('Missing features')).toEqual([['places', 'places.list', '404 GET /tracker_places/', 'places, and alerts about them']])
})

test('the table shows known failures in brackets, and each cause once', () => {
  expect(formatTable(report)).toMatch(/\n {2}fail +bad\n {2}\(fail\) +known\n/)
  expect(formatTable(report)).toMatch(/\ndeviations\n {2}fail +bad a\.\*\.b: "<b>" & .* more\n {2}\(fail\) +known a\.\*\.b: as ever\n/)
  expect(formatTable(withFeatures)).toMatch(
    /\nmissing\n {2}places +404 GET \/tracker_places\/; the portal leaves out: places, and alerts about them\n/,
  )
  expect(formatTable(report)).toMatch(/1 pass, 1 drift\+, 2 fail, 1 unreachable, 1 skipped\nNot clean\.\n$/)
})

test('a baseline of an earlier version can still be read', () => {
  using files = createTempFolder()
  const { causes: _, features: __, unchecked: ___, counts, ...old } = known
  const { tolerated: ____, ...oldCounts } = counts
  writeFileSync(files.at('old.json'), JSON.stringify({ ...old, counts: oldCounts }))
  expect(readBaseline(files.at('old.json'))?.results).toHaveLength(1)
})

test('known secrets and text that looks like a secret are redacted', () => {
  const redactor = createRedactor()
  redactor.add('abc-123')
  redactor.add('')
  expect(redactor.redact('Bearer abc-123 {"token": "xyz"}')).toBe('Bearer [redacted] {"token": "[redacted]"}')
})

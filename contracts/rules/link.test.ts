import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { computeLinkDates, isLinkExpired, isShownPermanent, linkWindow, PERMANENT_END_DATE, shareUrl } from './link.ts'

const now = new Date('2026-03-01T08:00:00Z')
const end_date = '2026-03-02T08:00:00Z'
const end = new Date(end_date)
const permanent = new Date('2200-01-01T00:00:00Z')

test.each([
  ['R-3.55 a link starts now by default', { end_date }, { start: now, end, expiry: end }],
  [
    'R-3.55 a link may have a given start',
    { start_date: '2026-02-01T00:00:00Z', end_date },
    { start: new Date('2026-02-01T00:00:00Z'), end, expiry: end },
  ],
  [
    'R-3.59 a link from the beginning has no start',
    { start_date: '2026-02-01T00:00:00Z', end_date, from_beginning: true },
    { start: null, end, expiry: end },
  ],
  ['R-3.58 a permanent link never expires', { permanent: true }, { start: now, end: permanent, expiry: null }],
  [
    'R-3.58 a permanent link ignores a given end',
    { permanent: true, end_date: '2020-01-01T00:00:00Z' },
    { start: now, end: permanent, expiry: null },
  ],
])('%s', (_words, request, dates) => {
  expect(computeLinkDates(request, now)).toEqual(dates)
})

test.each([
  ['missing', {}, 'required'],
  ['null', { end_date: null }, 'required'],
  ['now', { end_date: '2026-03-01T08:00:00Z' }, 'past'],
  ['before now', { end_date: '2026-03-01T07:00:00Z', from_beginning: true }, 'past'],
  ['at its start', { start_date: end_date, end_date }, 'before_start'],
  ['before its start', { start_date: '2026-04-01T00:00:00Z', end_date }, 'before_start'],
])('R-3.56 a new link is rejected if its end is %s', (_words, request, fault) => {
  expect(computeLinkDates(request, now)).toBe(fault)
})

test('R-2.41 a link shows positions from its start until now, or until its end once that has passed', () => {
  expect(linkWindow({ start_date: null, end_date }, now)).toEqual({ from: null, to: now })
  expect(linkWindow({ start_date: '2026-02-01T00:00:00Z', end_date: '2026-02-02T00:00:00Z' }, now)).toEqual({
    from: new Date('2026-02-01T00:00:00Z'),
    to: new Date('2026-02-02T00:00:00Z'),
  })
})

test('R-9.4 a link ending after 2100 in UTC is shown as permanent', async () => {
  expect(
    await collectFailures(
      [
        ['2099-12-31T23:59:59Z', false],
        ['2100-01-01T00:00:00Z', false],
        ['2100-12-31T23:59:59Z', false],
        ['2101-01-01T00:00:00Z', true],
        ['2101-01-01T00:30:00+01:00', false],
        [PERMANENT_END_DATE, true],
      ] as const,
      ([row]) => row,
      ([end, isPermanent]) => {
        expect(isShownPermanent(end)).toBe(isPermanent)
        expect(isShownPermanent(new Date(end))).toBe(isPermanent)
      },
    ),
  ).toEqual([])
})

test('R-3.57 a link expires at its expiry, and never without one', async () => {
  expect(
    await collectFailures(
      [
        ['2026-03-01T07:59:59Z', true],
        ['2026-03-01T08:00:00Z', true],
        ['2026-03-01T08:00:01Z', false],
        [null, false],
      ] as const,
      JSON.stringify,
      ([expiry, isExpired]) => {
        expect(isLinkExpired(expiry, new Date('2026-03-01T08:00:00Z'))).toBe(isExpired)
      },
    ),
  ).toEqual([])
})

test('R-2.56 a public share link is the origin plus /pub/trackers with the uuid as token', () => {
  const uuid = '00000000-0000-4000-8000-000000000001'
  expect(shareUrl('https://portal.example', { uuid })).toBe(`https://portal.example/pub/trackers?token=${uuid}`)
})

test('a link with a token of its own has that token, encoded, in its address', () => {
  const address = (token: string) => shareUrl('https://portal.example', { uuid: '00000000-0000-4000-8000-000000000001', token })
  expect(address('f'.repeat(40))).toBe(`https://portal.example/pub/trackers?token=${'f'.repeat(40)}`)
  expect(address('eyJh.eyJz.c2ln')).toBe('https://portal.example/pub/trackers?token=eyJh.eyJz.c2ln')
  expect(address('a+b/c=')).toBe('https://portal.example/pub/trackers?token=a%2Bb%2Fc%3D')
})

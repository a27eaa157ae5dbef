import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { describeSpan, judgeClock } from './judge-clock.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)

test('a clock is judged by the database, its newest entry and an outside clock', async () => {
  const nothing = { database: null, newest: null, outside: null }
  const rows = [
    ['a new database', nothing, null],
    ['a newest entry of a minute ago', { newest: at(-MINUTE_MS) }, null],
    ['a newest entry five minutes ahead', { newest: at(5 * MINUTE_MS) }, null],
    ['a gap of six minutes', { newest: at(-6 * MINUTE_MS) }, /6 minutes ahead of the newest entry/],
    ['a gap of 400 days', { newest: at(-400 * DAY_MS) }, /400 days ahead of the newest entry/],
    ['a newest entry an hour ahead', { newest: at(HOUR_MS) }, /60 minutes behind the newest entry/],
    ['a gap that a clock outside confirms', { newest: at(-7 * DAY_MS), outside: at(MINUTE_MS) }, null],
    ['an entry from the future, and a clock outside that agrees', { newest: at(900 * DAY_MS), outside: NOW }, null],
    ['a gap that a clock outside denies', { newest: at(-7 * DAY_MS), outside: at(-3 * DAY_MS) }, /3 days ahead of the clock of the card/],
    [
      'another time at the database',
      { database: at(-HOUR_MS), newest: NOW, outside: NOW },
      /60 minutes ahead of the clock of the database/,
    ],
    ['a gap, and the database agrees', { database: NOW, newest: at(-7 * DAY_MS) }, /7 days ahead of the newest entry/],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([, evidence, reason]) => {
        const verdict = judgeClock({ now: NOW, ...nothing, ...evidence })
        if (reason === null) expect(verdict.reason).toBeNull()
        else expect(verdict.reason).toMatch(reason)
      },
    ),
  ).toEqual([])
})

test('the offset is the difference to the reference clock', () => {
  const offset = (evidence: object) => judgeClock({ now: NOW, database: null, newest: null, outside: null, ...evidence }).offset
  expect([offset({}), offset({ database: at(-2000) }), offset({ newest: at(HOUR_MS) })]).toEqual([0, 2000, -HOUR_MS])
})

test('a time span is formatted in the largest unit that fits at least twice', () => {
  expect([MINUTE_MS, 6 * MINUTE_MS, -90 * MINUTE_MS, 3 * HOUR_MS, 50 * HOUR_MS].map(describeSpan)).toEqual([
    '1 minute',
    '6 minutes',
    '90 minutes',
    '3 hours',
    '2 days',
  ])
})

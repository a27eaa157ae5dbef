import { describe, expect, test } from 'vitest'
import { alternate, compareTimes } from './measure.ts'
import { HELP, readOptions, selectRows } from './options.ts'
import { concludeRow, formatConclusion, formatHeader, formatListed, formatRow } from './report.ts'
import { absolute, atLeast, atMost, compareFigures, type Row } from './row.ts'

const buildRow = (changes: Partial<Row> = {}): Row => ({
  id: 'X1',
  name: 'list',
  floor: 'same bytes',
  goal: atLeast(0.5),
  measure: async () => absolute(1, 'ms'),
  ...changes,
})
const conclude = (ratio: number, changes: Partial<Row> = {}) => concludeRow(buildRow(changes), compareFigures(ratio * 100, 100, '/s'))

describe('verdicts', () => {
  test.each([
    [0.5, atLeast(0.5), 'ok'],
    [0.4999, atLeast(0.5), 'MISSED'],
    [1.15, atMost(1.15), 'ok'],
    [1.16, atMost(1.15), 'MISSED'],
  ])('a ratio of %f with the goal %o is %s', (ratio, goal, verdict) => {
    expect(conclude(ratio, { goal }).verdict).toBe(verdict)
  })

  test('a figure without a floor is compared with its goal itself', () => {
    expect(concludeRow(buildRow({ goal: atMost(20) }), absolute(19, 'ms')).verdict).toBe('ok')
    expect(concludeRow(buildRow({ goal: atMost(20) }), absolute(21, 'ms')).verdict).toBe('MISSED')
  })
})

describe('selection', () => {
  const rows = {
    one: [buildRow({ id: 'X1' }), buildRow({ id: 'X2/a', tier: 'all' }), buildRow({ id: 'X2/b' })],
    two: [buildRow({ id: 'Y1', tier: 'growth' }), buildRow({ id: 'X22' })],
  }
  const idsOf = (args: string[]) => selectRows(rows, readOptions(args)).map(({ id }) => id)

  test.each([
    [[], ['X1', 'X2/b', 'X22']],
    [['--all'], ['X1', 'X2/a', 'X2/b', 'X22']],
    [['--growth'], ['Y1']],
    [
      ['--all', '--growth'],
      ['X1', 'X2/a', 'X2/b', 'Y1', 'X22'],
    ],
    [['--only=X2'], ['X2/a', 'X2/b']],
    [['--only=X2/a,two'], ['X2/a', 'Y1', 'X22']],
    [
      ['--only=Y1', '--only=X1'],
      ['X1', 'Y1'],
    ],
  ])('the options %j select the rows %j', (args, ids) => expect(idsOf(args)).toEqual(ids))

  test('a name that matches no row is rejected, so that a typing error does not look like a green run', () => {
    expect(() => idsOf(['--only=X1,H99'])).toThrow('No row or family is called H99')
  })

  test('an unknown option and a table that cannot grow are rejected', () => {
    expect(() => readOptions(['--quick'])).toThrow('--quick')
    expect(() => readOptions(['--millions=1'])).toThrow('--millions must be a whole number from 2 on')
  })

  test('the help names every option', () => {
    for (const name of Object.keys(readOptions([]))) expect(HELP).toContain(`--${name}`)
  })
})

describe('report', () => {
  test('a line shows both figures, ratio, goal and verdict below their headings', () => {
    const line = formatRow(conclude(0.512))
    expect(line).toMatch(/^X1 +list +51\.2\/s +100\/s +0\.51 +>= 0\.5 {2}ok$/)
    expect(line.indexOf('>= 0.5') + '>= 0.5'.length).toBe(formatHeader().length)
  })

  test('a figure without a floor shows no ratio', () => {
    const line = formatRow(concludeRow(buildRow({ goal: atMost(15) }), absolute(4.456, 'ms')))
    expect(line).toMatch(/^X1 +list +4\.46 ms +<= 15 {2}ok$/)
  })

  test('the list says what a row is compared with, its goal and the option that it needs', () => {
    expect(formatListed(buildRow())).toBe('X1        list: beside same bytes, >= 0.5')
    expect(formatListed(buildRow({ tier: 'growth' }))).toBe('X1        list: beside same bytes, >= 0.5 (--growth)')
  })

  test('the conclusion counts the rows and names those that miss their goal', () => {
    expect(formatConclusion([conclude(1), conclude(0.1, { id: 'H1' })])).toBe('2 rows measured, 1 meet their goal\nmissed: H1')
    expect(formatConclusion([conclude(1)])).toBe('1 rows measured, 1 meet their goal')
  })
})

describe('measuring', () => {
  test('variants take turns, the first round does not count, and each runs as often as the others', async () => {
    const order: string[] = []
    const variant = (name: string) => async () => order.push(name)
    const results = await alternate(2, [variant('a'), variant('b')])
    expect(order).toEqual(['b', 'a', 'a', 'b', 'b', 'a'])
    expect(results.map((each) => each.length)).toEqual([2, 2])
  })

  test('the ratio of two times is ours divided by the floor', async () => {
    const outcome = await compareTimes({ ours: () => {}, floor: () => {}, rounds: 4, each: 2, unit: 'µs' })
    expect(outcome.ratio).toBeCloseTo(outcome.ours.value / outcome.floor!.value)
  })
})

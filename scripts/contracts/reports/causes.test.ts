import { expect, test } from 'vitest'
import { type Finding, fail, tolerate } from '#scripts/contracts/client/findings.ts'
import { describeCause, explain, findCauses } from './causes.ts'

const line = (name: string, findings: Finding[], change: { verdict?: string; known?: boolean; note?: string } = {}) => ({
  ...{ level: 'errors', name, title: '', verdict: 'fail', note: '', known: false, findings },
  ...change,
})

test('the same deviation of many calls is one cause with a count and its calls', () => {
  const calls = ['devices.get', 'places.get', 'alerts.get', 'orders.read', 'links.read', 'sct2.read']
  const causes = findCauses(calls.map((name) => line(name, [fail('status', '401 instead of 403')])))
  expect(causes).toMatchObject([{ verdict: 'fail', message: '401 instead of 403', count: 6, calls }])
  expect(causes.map(describeCause)).toEqual(['401 instead of 403 on 6 calls: devices.get, places.get, alerts.get, orders.read and 2 more'])
})

test('a deviation of the whole backend is one cause over all fields, a missing field is one per field', () => {
  const causes = findCauses([
    line('devices.list', [tolerate('number-as-text', '*.battery'), tolerate('number-as-text', '*.lat'), tolerate('absent', '*.tag')]),
    line('places.list', [tolerate('number-as-text', '*.lat'), tolerate('absent', '*.radius')]),
  ])
  expect(causes.map(({ message, places }) => [message, places.map(({ call, path }) => `${call} ${path}`)])).toEqual([
    ['a number as text', ['devices.list *.battery', 'devices.list *.lat', 'places.list *.lat']],
    ['nothing: the field is missing', ['devices.list *.tag']],
    ['nothing: the field is missing', ['places.list *.radius']],
  ])
})

test('failures come first, and a cause is known when all of its failures are', () => {
  const causes = findCauses([
    line('tags.list', [tolerate('page-for-list', '')], { verdict: 'tolerated' }),
    line('places.list', [fail('', 'unlike')], { known: true }),
    line('alerts.list', [], { verdict: 'unreachable', note: 'reset' }),
    line('links.list', [fail('', 'unlike')]),
  ])
  expect(causes.map(({ verdict, message, isKnown }) => [verdict, message, isKnown])).toEqual([
    ['fail', 'unlike', false],
    ['unreachable', 'reset', false],
    ['tolerated', 'a page of a list', false],
  ])
})

test('a deviation is explained by what was received, what the contract says, what the portal does and how to fix it', () => {
  expect(explain(fail('user', 'Invalid input: expected object, received null'))).toEqual({
    came: 'null',
    wanted: 'object',
    effect: 'cannot use it',
    fix: 'answer as the contract says',
  })
  expect(explain(fail('status', '404 instead of 401'))).toMatchObject({
    came: '404',
    wanted: '401',
    effect: 'takes it for another outcome',
  })
  expect(explain({ ...tolerate('unknown-value', '*.kind', { message: '"cow" is not one of dog, cat' }), verdict: 'enum?' })).toMatchObject({
    came: '"cow"',
    effect: 'shown as unknown, with a neutral icon',
  })
  expect(explain({ verdict: 'drift+', path: 'x', message: 'not in the contract' })).toMatchObject({ effect: 'ignored' })
})

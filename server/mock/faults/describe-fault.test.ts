import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const CASES = [
  [{ match: { route: 'devices.list' }, effect: 'status', status: 503, times: 3 }, 'GET /devices/ answers 503, next 3 times'],
  [
    { match: { route: 'tags.create' }, effect: 'status', status: 409, code: 'tag_exists', times: 1 },
    'POST /tracker_tags/ answers 409 tag_exists, next time',
  ],
  [
    { effect: 'respond', match: { route: '/devices/:id/weather/', method: 'GET' } },
    'GET /devices/:id/weather/ answers 200 in place of the server',
  ],
  [{ effect: 'latency', ms: 400, jitter_ms: 200 }, 'Every call waits 400 to 600 ms'],
  [{ effect: 'latency', ms: 400, match: { persona: 'alice', method: 'PATCH' } }, 'Every PATCH by alice waits 400 ms'],
  [{ effect: 'hang' }, 'Every call never gets an answer'],
  [{ effect: 'hang', ms: 31_000, match: { route: 'devices.*' } }, 'Every call of devices.* is cut off after 31000 ms without an answer'],
  [{ effect: 'reset', match: { access: 'signed_in' } }, 'Every call with a session is cut off at once'],
  [{ effect: 'empty', after: 2 }, 'Every call answers without a body, after 2 more calls'],
  [{ effect: 'malformed', probability: 0.3 }, 'Every call answers with half of the body, in 30 % of the calls'],
  [{ effect: 'slow', ms: 3000 }, 'Every call answers bit by bit over 3000 ms'],
  [{ effect: 'slow', bytes_per_second: 50_000 }, 'Every call answers at 50000 bytes a second'],
  [
    { effect: 'mutate', match: { route: 'devices.list' }, set: { '*.name': 'X' }, remove: ['*.type'] },
    'GET /devices/ answers with *.name as "X", no *.type',
  ],
  [{ effect: 'stale', match: { route: '/devices/*' } }, 'Any /devices/* repeats its first answer'],
  [{ effect: 'stream', action: 'drop', match: { route: 'positions.live' } }, 'GET /devices/live/ loses every event'],
  [{ effect: 'stream', action: 'stall', every: 4 }, 'Every call sends no events after 3'],
  [{ effect: 'stream', action: 'reorder', every: 3 }, 'Every call sends every third event after the next one'],
  [
    { effect: 'reset', match: { route: 'tags.create', body: { name: { matches: '^R' } }, headers: { accept: 'text/html' } } },
    'POST /tracker_tags/ with the header accept "text/html" and name like /^R/ in the body is cut off at once',
  ],
] as const

test('every kind of fault is described by the calls it affects, and how', async () => {
  await using portal = await startPortal()
  expect(
    await collectFailures(
      CASES,
      ([, words]) => words,
      async ([fault, words]) => expect((await portal.call(null, 'POST', '/mock/faults', fault)).body.words).toBe(words),
    ),
  ).toEqual([])
})

test('a listed fault says how many calls it will still affect, and finally that it affects none', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/faults', {
    match: { route: 'subscriptions.prices' },
    effect: 'status',
    status: 500,
    after: 1,
    times: 2,
  })
  const words = async () => (await portal.call(null, 'GET', '/mock/faults')).body.at(-1).words.replace(/^.*500, /, '')
  const said = [await words()]
  for (let call = 0; call < 3; call++) {
    await portal.call(null, 'GET', '/users/tracker_prices')
    said.push(await words())
  }
  expect(said).toEqual(['after one more call, next 2 times', 'next 2 times', 'next time', 'no more'])
})

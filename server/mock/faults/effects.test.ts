import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { editJson } from './effects.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const set = (portal: Portal, fault: object) => portal.call(null, 'POST', '/mock/faults', fault)

test('a modified body is not confirmed by a 304 when the fault is over', async () => {
  const rows = [{ effect: 'empty' }, { effect: 'malformed' }, { effect: 'mutate', set: { '*.name': 'X' } }]
  const failures = await collectFailures(rows, JSON.stringify, async (fault) => {
    await using portal = await startPortal()
    await set(portal, { ...fault, times: 1 })
    const { headers } = await portal.call(ALICE, 'GET', '/devices/')
    const again = await portal.call(ALICE, 'GET', '/devices/', undefined, { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body.length]).toEqual([200, 18])
  })
  expect(failures).toEqual([])
})

test('the journal has the body of a slow response, which is checked against the contract', async () => {
  await using portal = await startPortal()
  await set(portal, { effect: 'slow', ms: 1, match: { route: 'tags.list' } })
  const { body } = await portal.call(ALICE, 'GET', '/tracker_tags/')
  const [entry] = (await portal.call(null, 'GET', '/mock/requests')).body
  expect([JSON.parse(entry.response.body), entry.verdict]).toEqual([body, 'pass'])
})

test('a slow response is also changed by a fault that was added later', async () => {
  await using portal = await startPortal()
  await set(portal, { effect: 'slow', ms: 1 })
  await set(portal, { effect: 'mutate', set: { '*.name': 'X' } })
  expect((await portal.call(ALICE, 'GET', '/tracker_tags/')).body[0].name).toBe('X')
})

test('an empty or truncated body that another fault would change is left unchanged', async () => {
  await using portal = await startPortal()
  const text = (await portal.call(ALICE, 'GET', '/tracker_tags/')).raw.toString()
  const failures = await collectFailures(['empty', 'malformed'], String, async (effect) => {
    await portal.call(null, 'DELETE', '/mock/faults')
    await set(portal, { effect })
    await set(portal, { effect: 'mutate', set: { '*.name': 'X' } })
    const { status, raw } = await portal.call(ALICE, 'GET', '/tracker_tags/')
    expect([status, raw.toString()]).toEqual([200, effect === 'empty' ? '' : text.slice(0, text.length / 2)])
  })
  expect(failures).toEqual([])
})

test('values of a GeoJSON download are changed', async () => {
  await using portal = await startPortal()
  await set(portal, { effect: 'mutate', set: { 'features.*.type': 'X' } })
  const { body } = await portal.call(ALICE, 'GET', '/devices/1/tracker_data/export/?format=geojson')
  expect(new Set(body.features.map(({ type }: { type: string }) => type))).toEqual(new Set(['X']))
})

test('a fault counts only requests that its effect can change', async () => {
  await using portal = await startPortal()
  await set(portal, { effect: 'stream', action: 'drop' })
  await set(portal, { effect: 'stale' })
  await portal.call(ALICE, 'POST', '/tracker_tags/', { name: 'Zed', color: '#0000ff' })
  await portal.call(ALICE, 'GET', '/tracker_tags/')
  const listed = (await portal.call(null, 'GET', '/mock/faults')).body.slice(-2)
  expect(listed).toMatchObject([
    { effect: 'stream', happened: 0 },
    { effect: 'stale', happened: 1 },
  ])
})

test('downloads are emptied, truncated, slowed down and repeated byte by byte', async () => {
  await using portal = await startPortal()
  const files = ['theft_form/', 'tracker_data/track/', 'tracker_data/export_csv/'].map((file) => `/devices/1/${file}`)
  const failures = await collectFailures(files, String, async (url) => {
    const read = async () => (await portal.call(ALICE, 'GET', url)).raw
    const whole = await read()
    const lengths = { empty: 0, malformed: whole.length >> 1, slow: whole.length, stale: whole.length }
    for (const [effect, length] of Object.entries(lengths)) {
      await portal.call(null, 'DELETE', '/mock/faults')
      await set(portal, { effect, ...(effect === 'slow' && { ms: 20 }) })
      const start = performance.now()
      expect((await read()).equals(whole.subarray(0, length)), effect).toBe(true)
      if (effect === 'slow') expect(performance.now() - start).toBeGreaterThan(15)
    }
  })
  expect(failures).toEqual([])
})

test('a mutation does not reach the prototype', async () => {
  const rows = [
    '__proto__.polluted',
    'constructor.prototype.polluted',
    'a.__proto__.polluted',
    '*.constructor.prototype.polluted',
    '__proto__',
  ]
  expect(
    await collectFailures(rows, String, (path) => {
      const value = path === '__proto__' ? { polluted: 1 } : 1
      expect(editJson('{"a":{"b":1}}', { set: { [path]: value } })).toBe('{"a":{"b":1}}')
      expect(Object.keys(Object.prototype)).toEqual([])
      expect({}).not.toHaveProperty('polluted')
    }),
  ).toEqual([])
})

test('inherited properties cannot be removed', () => {
  expect(editJson('{"a":1}', { remove: ['__proto__.toString', 'constructor.prototype.valueOf'] })).toBe('{"a":1}')
  expect({}.toString()).toBe('[object Object]')
})

test('own properties of a response are set and removed', () =>
  expect(editJson('{"a":[{"b":1,"c":2}]}', { set: { 'a.*.d': 3 }, remove: ['a.0.b'] })).toBe('{"a":[{"c":2,"d":3}]}'))

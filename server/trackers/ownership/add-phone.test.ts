import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

const [ALICE, DARIO] = ['alice@example.com', 'dario@example.com']
const phone = { name: ' My phone ', kind: 'person' }
const add = (portal: Awaited<ReturnType<typeof startPortal>>, email = DARIO) => portal.call(email, 'POST', '/devices/phones/', phone)

test('a phone gets an identifier that begins with 00 and reports with a key, where only stock can be claimed', async () => {
  await using portal = await startPortal({ claims: 'stock' })
  const { status, body } = await add(portal)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...{ name: 'My phone', kind: 'person', serial: null, operator: 'none', identifier: expect.stringMatching(/^00\d{8}$/) },
    tracker_status: { sub_state: 'active', sub_end_date: '2027-03-02T09:00:00Z' },
  })
  const { key } = (await portal.call(DARIO, 'POST', `/devices/${body.id}/keys/`, {})).body
  const report = await portal.call(null, 'GET', '/ingest/osmand?lat=-34.9&lon=-56.1', undefined, { 'x-device-key': key })
  expect(report.status).toBe(200)
  expect((await portal.call(DARIO, 'GET', `/devices/${body.id}/`)).body.tracker_status.last_position).toMatchObject({ lat: -34.9 })
})

test('only the first phone of an account has included months, also after it was removed', async () => {
  await using portal = await startPortal()
  const first = await add(portal)
  const second = await add(portal)
  expect(second.body.tracker_status.sub_state).toBe('none')
  expect(second.body.identifier).not.toBe(first.body.identifier)
  for (const { body } of [first, second]) await portal.call(DARIO, 'DELETE', `/devices/${body.id}/`)
  const third = await add(portal)
  expect(third.body.tracker_status.sub_state).toBe('none')
  expect((await portal.call(DARIO, 'POST', `/devices/${third.body.id}/activate/`)).body.code).toBe('not_activatable')
  expect((await add(portal, ALICE)).body.tracker_status.sub_state).toBe('active')
})

test('of two phones that are added at once one has the included months', async () => {
  await using portal = await startPortal()
  const added = await Promise.all([add(portal), add(portal)])
  expect(added.map(({ body }) => body.tracker_status.sub_state).sort()).toEqual(['active', 'none'])
})

test('phones count among the 200 trackers that an account may try to add in a day', async () => {
  await using portal = await startPortal()
  for (let n = 0; n < 200; n++) await portal.call(DARIO, 'POST', '/devices/trackers/', { ...phone, identifier: '10000000-01' })
  expect((await add(portal)).body.code).toBe('throttled')
})

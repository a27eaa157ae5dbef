import { expect, test } from 'vitest'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { days } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import * as bodies from '#server/tracking/networks/test-bodies.ts'
import { ALICE, GATEWAY, post, startNetworks } from '#server/tracking/networks/test-networks.ts'

type Portal = Awaited<ReturnType<typeof startNetworks>>

const { rex } = SEED.devices
const FUTURE = '2026-03-03T09:00:00Z'
const SECONDS = Date.parse(FUTURE) / 1000
const POINT = { lat: -34.9, lng: -56.15, precision: 5 }
const JSON_TYPE = { 'content-type': 'application/json' }

const list = async (portal: Portal, email = ALICE) => portal.call(email, 'GET', `/devices/${rex}/tracker_data/refused/`)
const createKey = async (portal: Portal) => (await portal.call(ALICE, 'POST', `/devices/${rex}/keys/`, {})).body.key as string

/** A position from tomorrow by each protocol. */
const SENDERS: [name: string, send: (portal: Portal) => Promise<{ status: number }>][] = [
  [
    'the own protocol with the key of a tracker',
    async (portal) =>
      portal.call(
        null,
        'POST',
        '/devices/ingest/',
        { identifier: '1000000001', positions: [{ ...POINT, datetime: FUTURE }] },
        { 'x-device-key': await createKey(portal) },
      ),
  ],
  [
    'the own protocol with the key of a gateway',
    (portal) =>
      portal.call(null, 'POST', '/devices/ingest/', { identifier: '1000000001', positions: [{ ...POINT, datetime: FUTURE }] }, GATEWAY),
  ],
  [
    'OsmAnd',
    async (portal) => portal.call(null, 'GET', `/ingest/osmand?id=${await createKey(portal)}&lat=-34.9&lon=-56.15&timestamp=${SECONDS}`),
  ],
  [
    'OwnTracks',
    async (portal) =>
      portal.call(
        null,
        'POST',
        '/ingest/owntracks',
        { _type: 'location', lat: -34.9, lon: -56.15, tst: SECONDS },
        { ...JSON_TYPE, authorization: `Bearer ${await createKey(portal)}` },
      ),
  ],
  [
    'Overland',
    async (portal) =>
      portal.call(
        null,
        'POST',
        `/ingest/overland?key=${await createKey(portal)}`,
        {
          locations: [
            {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: [-56.15, -34.9] },
              properties: { timestamp: FUTURE, device_id: 'a' },
            },
          ],
        },
        JSON_TYPE,
      ),
  ],
  [
    'a network',
    (portal) => {
      const { position } = bodies.TRACCAR_POSITION
      const late = { ...position, fixTime: FUTURE, deviceTime: FUTURE, serverTime: FUTURE }
      return post(portal, 'traccar', { ...bodies.TRACCAR_POSITION, position: late })
    },
  ],
]

test.each(SENDERS)('the owner sees a position that %s reported with a time in the future', async (_, send) => {
  await using portal = await startNetworks()
  expect((await list(portal)).body).toEqual([])
  expect((await send(portal)).status).toBeLessThan(300)
  const [only, ...others] = (await list(portal)).body
  expect(others).toEqual([])
  expect(only).toMatchObject({ reason: 'in_the_future', count: 1, last_datetime: FUTURE })
})

test('refused positions are counted by reason, and no longer shown 30 days after the last one', async () => {
  await using portal = await startNetworks()
  const key = { 'x-device-key': await createKey(portal) }
  const send = (...times: string[]) =>
    portal.call(
      null,
      'POST',
      '/devices/ingest/',
      { identifier: '1000000001', positions: times.map((datetime) => ({ ...POINT, datetime })) },
      key,
    )
  await send(FUTURE, '2026-03-02T09:00:10Z', '2020-01-01T00:00:00Z', '2026-03-04T09:00:00Z')
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT1H' })
  await send('2027-01-01T00:00:00Z')
  const { body } = await list(portal)
  expect(body).toMatchObject([
    { reason: 'in_the_future', count: 3, last_datetime: '2027-01-01T00:00:00Z' },
    { reason: 'too_old', count: 1, last_datetime: '2020-01-01T00:00:00Z' },
  ])
  expect(Date.parse(body[0].last_at) - Date.parse(body[0].first_at)).toBe(3_600_000)
  await runDue(portal.world, days(29), { jobs: [cleanUp] })
  expect((await list(portal)).body).toHaveLength(2)
  await runDue(portal.world, days(31), { jobs: [cleanUp] })
  expect((await list(portal)).body).toEqual([])
})

test('other accounts do not see how many positions of a tracker were refused', async () => {
  await using portal = await startNetworks()
  expect((await list(portal, 'george@example.com')).status).toBe(404)
})

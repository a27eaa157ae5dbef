import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import { alertDevices } from '#db/schema/places.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const PATH = '/tracker_places/'
const PARK = {
  type: 'polygon',
  points: [
    [-34.91, -56.17],
    [-34.91, -56.16],
    [-34.905, -56.155],
    [-34.9, -56.16],
    [-34.9, -56.17],
  ],
}
const WAY = { type: 'corridor', points: PARK.points, width: 80 }
const park = { name: 'Park', address: 'Parque Rodó', type: 'other', shape: PARK }

type Portal = Awaited<ReturnType<typeof startPortal>>
const create = async (portal: Portal, body: object = park) => (await portal.call(ALICE, 'POST', PATH, body)).body
const change = (portal: Portal, id: number, body: object) => portal.call(ALICE, 'PATCH', `${PATH}${id}/`, body)

describe('a place with a shape', () => {
  test('D-137 an area needs no address that can be found, and gets the circle around it', async () => {
    await using portal = await startPortal()
    const made = await create(portal)
    expect(made).toMatchObject({ ...park, devices: [] })
    for (const [lat, lng] of PARK.points) expect(distanceMeters({ lat: lat!, lng: lng! }, made)).toBeLessThanOrEqual(made.radius)
    expect(made.radius).toBeLessThan(900)
    expect((await portal.call(ALICE, 'GET', PATH)).body).toContainEqual(made)
  })

  test('a circle has no field shape', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'GET', `${PATH}${SEED.places.home}/`)).body).not.toHaveProperty('shape')
  })

  test('points are rounded to 10 cm, and an end that repeats the start is left out', async () => {
    await using portal = await startPortal()
    const [first, ...others] = PARK.points
    const made = await create(portal, { ...park, shape: { ...PARK, points: [[-34.91000004, -56.17], ...others, first] } })
    expect(made.shape).toEqual(PARK)
  })

  test('what was read can be sent back, as a new place or as a change', async () => {
    await using portal = await startPortal()
    const { id, ...made } = await create(portal, {
      ...park,
      shape: {
        ...WAY,
        points: [
          [-34.9, -56.17],
          [-34.9, -55.9],
        ],
      },
    })
    expect(made.radius).toBeGreaterThan(10_000)
    expect(await portal.call(ALICE, 'POST', PATH, made)).toMatchObject({ status: 201, body: made })
    expect(await change(portal, id, made)).toMatchObject({ status: 200, body: { id, ...made } })
  })

  test('a circle becomes a way, and a way an area', async () => {
    await using portal = await startPortal()
    expect((await change(portal, SEED.places.home, { shape: WAY })).body.shape).toEqual(WAY)
    expect((await change(portal, SEED.places.home, { shape: PARK })).body.shape).toEqual(PARK)
  })
})

describe('a client that does not know shapes', () => {
  test('it can change the name and the address, and sends the circle back as it was', async () => {
    await using portal = await startPortal()
    const { id, lat, lng, radius } = await create(portal)
    const { status, body } = await change(portal, id, { name: 'Green', address: '18 de Julio 1360', lat, lng, radius })
    expect([status, body]).toMatchObject([200, { name: 'Green', address: '18 de Julio 1360', lat, lng, radius, shape: PARK }])
  })

  test('another circle is refused, with the field and the way out', async () => {
    await using portal = await startPortal()
    const { id, lat } = await create(portal)
    const { status, body } = await change(portal, id, { radius: 300 })
    expect([status, body.code, body.errors]).toEqual([400, 'validation_error', { radius: [expect.stringContaining('null as shape')] }])
    expect((await change(portal, id, { lat: lat + 0.1, lng: -56.2 })).body.errors).toHaveProperty('lat')
    expect((await portal.call(ALICE, 'GET', `${PATH}${id}/`)).body.shape).toEqual(PARK)
  })

  test('null as shape makes it a circle, of the given size or of at most 10 km', async () => {
    await using portal = await startPortal()
    const { id, lat, lng, radius } = await create(portal)
    const circle = (await change(portal, id, { shape: null })).body
    expect([circle.lat, circle.lng, circle.radius, 'shape' in circle]).toEqual([lat, lng, radius, false])
    await change(portal, id, {
      shape: {
        ...WAY,
        points: [
          [-34.9, -56.17],
          [-34.9, -55.9],
        ],
      },
    })
    expect((await change(portal, id, { shape: null })).body.radius).toBe(10_000)
    await change(portal, id, { shape: PARK })
    expect((await change(portal, id, { shape: null, radius: 120 })).body.radius).toBe(120)
  })
})

describe('refused shapes', () => {
  const [a, b, c, d] = PARK.points
  test.each([
    ['two corners', { type: 'polygon', points: [a, b] }, 'shape.points'],
    ['two corners, one of them twice', { type: 'polygon', points: [a, b, a] }, 'shape.points'],
    ['crossing edges', { type: 'polygon', points: [a, c, b, d] }, 'shape.points'],
    ['a latitude of 91', { type: 'polygon', points: [a, b, [91, 0]] }, 'shape.points.2.0'],
    ['an area of 500 km', { type: 'polygon', points: [a, b, [-34.9, -50]] }, 'shape.points'],
    ['a way without a width', { type: 'corridor', points: [a, b] }, 'shape.width'],
    ['a way 10 m wide', { type: 'corridor', points: [a, b], width: 10 }, 'shape.width'],
    ['an ellipse', { type: 'ellipse', points: [a, b] }, 'shape.type'],
    ['501 points', { type: 'corridor', width: 50, points: Array.from({ length: 501 }, (_, index) => [0, index / 1000]) }, 'shape.points'],
  ])('%s is refused at its field', async (_words, shape, field) => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...park, shape })
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
  })

  test('a circle has at most 10,000 metres, new or changed', async () => {
    await using portal = await startPortal()
    const { shape: _, ...circle } = park
    for (const { status, body } of [
      await portal.call(ALICE, 'POST', PATH, { ...circle, address: '18 de Julio 1360', radius: 10_001 }),
      await change(portal, SEED.places.home, { radius: 10_001 }),
    ])
      expect([status, Object.keys(body.errors)]).toEqual([400, ['radius']])
  })
})

test('a change of the shape clears which side of the border trackers were on, and a change of the name does not', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  await change(portal, SEED.places.home, { shape: PARK })
  const read = async () =>
    (await db.read.select().from(alertDevices).where(eq(alertDevices.alertId, SEED.alerts.leaveHome))).map(({ crossing }) => crossing)
  const inside = { inside: true, leaning: null }
  await db.write('everything', (tx) => tx.update(alertDevices).set({ crossing: inside }))
  await change(portal, SEED.places.home, { name: 'Den', shape: PARK })
  expect(await read()).toEqual([inside])
  await change(portal, SEED.places.home, { shape: WAY })
  expect(await read()).toEqual([null])
})

test('visitors of a link see the shape of its destination', async () => {
  await using portal = await startPortal()
  await change(portal, SEED.places.home, { shape: PARK })
  const link = { label: 'Way home', permanent: true, from_beginning: true, destination: SEED.places.home }
  const { body } = await portal.call(ALICE, 'POST', `/devices/${SEED.devices.rex}/public_share_link/`, link)
  const shared = await portal.call(null, 'GET', `/tracker_public_share_links/${body.uuid}/`)
  expect(shared.body.destination).toMatchObject({ name: 'Home', shape: PARK })
})

import { describe, expect, test } from 'vitest'
import { alertDevices } from '#db/schema/places.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const [ALICE, MEMBER, ADMIN, SUPPORT] = ['alice@example.com', 'member@pro.example.com', 'admin@pro.example.com', 'support@example.com']
const PATH = '/tracker_places/'
const { home, school, office, cornerShop, depot, cabin, proDepot } = SEED.places
const { rex, misty, grandpa, victorFree, proVan } = SEED.devices
const { enterHome, leaveHome } = SEED.alerts
const one = (id: number) => `${PATH}${id}/`
const vet = { name: 'Vet', address: '18 de Julio 1360', type: 'other' }
const ids = (list: { id: number }[]) => list.map(({ id }) => id)

test('R-1.9 the places of an account are listed by name', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', PATH)
  expect(status).toBe(200)
  expect(ids(body)).toEqual([cabin, cornerShop, depot, home, office, school])
  expect(body.map(({ type }: { type: string }) => type).sort()).toEqual(['home', 'other', 'school', 'shop', 'warehouse', 'work'])
  expect(new Set(body.map(({ radius }: { radius: number }) => radius))).toEqual(new Set([50, 200, 10_000]))
})

test('a single place looks the same as in the list', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', one(home))
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: home, name: 'Home', type: 'home', radius: 200, devices: [rex, misty, grandpa] })
  expect((await portal.call(ALICE, 'GET', PATH)).body).toContainEqual(body)
})

describe('creating a place', () => {
  test('R-3.29 R-3.31 a new place gets the coordinates of its address and a radius of 200 metres', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...vet, name: '  Vet ' })
    expect(status).toBe(201)
    const [house] = await portal.world.geocode.search(vet.address)
    expect(body).toEqual({ id: expect.any(Number), ...vet, radius: 200, devices: [], lat: house?.lat, lng: house?.lng })
    expect((await portal.call(ALICE, 'GET', one(body.id))).body).toEqual(body)
  })

  test('a given point takes precedence over the address', async () => {
    await using portal = await startPortal()
    const point = { lat: -34.9058571, lng: -56.1913095 }
    const newPlace = { ...vet, address: 'Behind the old oak', ...point, radius: 75, devices: [misty, rex, misty] }
    const { status, body } = await portal.call(ALICE, 'POST', PATH, newPlace)
    expect([status, body]).toEqual([201, { ...newPlace, id: expect.any(Number), devices: [rex, misty] }])
  })

  test('R-3.29 an unknown address is refused', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...vet, address: 'Qwertz 12345' })
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'address_not_found', ['address']])
  })

  test('R-3.28 R-3.29 R-3.31 R-3.32 R-5.13 creating a place with an invalid value is refused with an error for its field', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ name: '' }, 'name'],
      [{ name: '   ' }, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
      [{ name: undefined }, 'name'],
      [{ address: ' ' }, 'address'],
      [{ address: 'x'.repeat(201) }, 'address'],
      [{ type: 'castle' }, 'type'],
      [{ type: null }, 'type'],
      [{ radius: 49 }, 'radius'],
      [{ radius: 10_001 }, 'radius'],
      [{ radius: 99.5 }, 'radius'],
      [{ radius: '200' }, 'radius'],
      [{ devices: [victorFree] }, 'devices'],
      [{ devices: [rex, 987_654_321] }, 'devices'],
      [{ devices: rex }, 'devices'],
      [{ lat: -34.9 }, 'lat'],
      [{ lat: 91, lng: 0 }, 'lat'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([change, field]) => {
        const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...vet, ...change })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
      }),
    ).toEqual([])
  })

  test('R-3.28 R-3.31 a place may have the smallest and largest radius and the longest name', async () => {
    await using portal = await startPortal()
    const rows = [[{ radius: 50 }], [{ radius: 10_000 }], [{ name: 'x'.repeat(80) }]] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([change]) => {
        expect(await portal.call(ALICE, 'POST', PATH, { ...vet, ...change })).toMatchObject({ status: 201, body: change })
      }),
    ).toEqual([])
  })

  test.each(['store', 'shop', ' Store'])('R-3.30 the place type %j is saved as shop', async (type) => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'POST', PATH, { ...vet, type })).body.type).toBe('shop')
  })
})

describe('changing a place', () => {
  test('R-1.9 changing a place affects only the given fields', async () => {
    await using portal = await startPortal()
    const before = (await portal.call(ALICE, 'GET', one(home))).body
    const { status, body } = await portal.call(ALICE, 'PATCH', one(home), { name: 'Den', type: 'store', radius: 500 })
    expect([status, body]).toEqual([200, { ...before, name: 'Den', type: 'shop', radius: 500 }])
    expect((await portal.call(ALICE, 'PATCH', one(home), {})).body).toEqual(body)
    expect((await portal.call(ALICE, 'GET', one(home))).body).toEqual(body)
  })

  test('a new address moves the place, and the same address leaves it at its point', async () => {
    await using portal = await startPortal()
    const put = (await portal.call(ALICE, 'PATCH', one(home), { lat: 1.5, lng: 2.5 })).body
    expect((await portal.call(ALICE, 'PATCH', one(home), { address: put.address })).body).toMatchObject({ lat: 1.5, lng: 2.5 })
    const [house] = await portal.world.geocode.search(vet.address)
    const moved = await portal.call(ALICE, 'PATCH', one(home), { address: vet.address })
    expect(moved.body).toMatchObject({ address: vet.address, lat: house?.lat, lng: house?.lng })
  })

  test('a change to an unknown address is refused and changes nothing', async () => {
    await using portal = await startPortal()
    const response = await portal.call(ALICE, 'PATCH', one(home), { name: 'Den', address: 'Qwertz 12345' })
    expect(response).toMatchObject({ status: 400, body: { code: 'address_not_found' } })
    expect((await portal.call(ALICE, 'GET', one(home))).body.name).toBe('Home')
  })

  test('R-3.32 the trackers of a place are replaced, and those of other accounts refused', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'PATCH', one(home), { devices: [misty] })).body.devices).toEqual([misty])
    const response = await portal.call(ALICE, 'PATCH', one(home), { name: 'Den', devices: [victorFree] })
    expect([response.status, Object.keys(response.body.errors)]).toEqual([400, ['devices']])
    expect((await portal.call(ALICE, 'PATCH', one(home), { devices: [] })).body).toMatchObject({ name: 'Home', devices: [] })
  })

  test('changing a place validates fields as creating does', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'PATCH', one(home), { name: '', type: 'castle', radius: 0, lng: 2 })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['name', 'type', 'radius']])
  })

  test.each([
    ['its radius', { radius: 201 }, [null, null, null]],
    ['its point', { lat: -34.9, lng: -56.1 }, [null, null, null]],
    ['its name alone', { name: 'Den', radius: 200 }, [expect.anything(), expect.anything(), expect.anything()]],
  ])('alerts of a place forget their last side of the border only if it moves: a change of %s', async (_, change, known) => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'PATCH', one(home), change)
    const rows = await portal.world.db.read.select().from(alertDevices)
    expect(rows.filter(({ alertId }) => alertId === enterHome || alertId === leaveHome).map(({ crossing }) => crossing)).toEqual(known)
  })
})

test('removing a place removes its alerts', async () => {
  await using portal = await startPortal()
  const removed = await portal.call(ALICE, 'DELETE', one(home))
  expect(removed).toMatchObject({ status: 200, body: { id: home, deleted_alerts: [enterHome, leaveHome] } })
  expect((await portal.call(ALICE, 'GET', one(home))).status).toBe(404)
  expect((await portal.call(ALICE, 'DELETE', one(home))).status).toBe(404)
  expect(ids((await portal.call(ALICE, 'GET', '/tracker_alerts/')).body)).toEqual([SEED.alerts.vehicleAlert, SEED.alerts.leaveCabin])
  expect((await portal.call(ALICE, 'DELETE', one(school))).body).toEqual({ id: school, deleted_alerts: [] })
})

test('R-6.9 the places of another account are not found', async () => {
  await using portal = await startPortal()
  for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const)
    expect(await portal.call('dario@example.com', method, one(home), body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await portal.call('dario@example.com', 'GET', PATH)).body).toEqual([])
})

describe('places and roles', () => {
  test('support reads the places of all accounts but changes none', async () => {
    await using portal = await startPortal()
    expect(ids((await portal.call(SUPPORT, 'GET', PATH)).body)).toEqual(expect.arrayContaining([home, proDepot]))
    expect((await portal.call(SUPPORT, 'GET', one(home))).body.devices).toEqual([rex, misty, grandpa])
    expect((await portal.call(SUPPORT, 'POST', PATH, vet)).status).toBe(403)
    expect((await portal.call(SUPPORT, 'PATCH', one(home), { name: 'Den' })).status).toBe(403)
    expect((await portal.call(SUPPORT, 'DELETE', one(home))).status).toBe(403)
  })

  test('a pro member sees all places of the account but only their assigned trackers, and changes only those', async () => {
    await using portal = await startPortal()
    const seen = ids((await portal.call(MEMBER, 'GET', '/devices/')).body)
    const all = ids((await portal.call(ADMIN, 'GET', '/devices/')).body)
    const unseen = all.filter((id) => !seen.includes(id))
    const enabled = (await portal.call(ADMIN, 'PATCH', one(proDepot), { devices: all })).body.devices
    expect(enabled).toEqual(all.toSorted((a, b) => a - b))
    expect((await portal.call(MEMBER, 'GET', one(proDepot))).body.devices.toSorted()).toEqual(seen.toSorted())
    expect((await portal.call(MEMBER, 'PATCH', one(proDepot), { devices: [] })).body.devices).toEqual([])
    expect((await portal.call(ADMIN, 'GET', one(proDepot))).body.devices).toEqual(unseen.toSorted((a, b) => a - b))
    expect((await portal.call(MEMBER, 'PATCH', one(proDepot), { devices: [unseen[0]] })).status).toBe(400)
    expect((await portal.call(MEMBER, 'POST', PATH, { ...vet, devices: [unseen[0]] })).status).toBe(400)
    expect((await portal.call(ADMIN, 'POST', PATH, { ...vet, devices: [proVan] })).status).toBe(201)
  })
})

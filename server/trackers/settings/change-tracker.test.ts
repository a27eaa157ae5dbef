import { describe, expect, test } from 'vitest'
import { tags } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { rex, misty, familyCar, deliveryVan, coldBox, puppy, cessna, hiker, proVan, proDog, stolenScooter } = SEED.devices
const change = (portal: Portal, id: number, body: object, email = ALICE) => portal.call(email, 'PATCH', `/devices/${id}/`, body)

describe('name and tag of a tracker', () => {
  test('R-3.2 R-3.4 name and tag of a tracker change without other effects', async () => {
    await using portal = await startPortal()
    const { body: before } = await portal.call(ALICE, 'GET', `/devices/${rex}/`)
    const { status, body } = await change(portal, rex, { name: ' Rex II ', tag: SEED.tags.vehicles })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'Rex II', tag: { id: SEED.tags.vehicles, name: 'Vehicles', color: '#1f6fb2' } })
    const list = (await portal.call(ALICE, 'GET', '/devices/?type=tracker')).body
    expect(list.find((device: { id: number }) => device.id === rex)).toEqual(body)
    expect((await change(portal, rex, { tag: null })).body.tag).toBeNull()
    expect((await change(portal, rex, {})).body).toMatchObject({ name: 'Rex II', tag: null })
  })

  test('R-3.2 invalid changes of a tracker are refused and change nothing', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ kind: 'robot' }, 'kind'],
      [{ tag: 'Pets' }, 'tag'],
      [{ tag: 987_654 }, 'tag'],
      [{ visible: 'no' }, 'visible'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([body, field]) => {
        const response = await change(portal, rex, { name: 'New', ...body })
        expect([response.status, response.body.code, Object.keys(response.body.errors)]).toEqual([400, 'validation_error', [field]])
        expect((await portal.call(ALICE, 'GET', `/devices/${rex}/`)).body.name).toBe('Rex')
      }),
    ).toEqual([])
  })

  test('R-3.4 a tag of another account is refused', async () => {
    await using portal = await startPortal()
    await portal.world.db.write('everything', (tx) =>
      tx.insert(tags).values({ id: 900, accountId: 2, name: 'His', key: 'his', color: '#000000' }),
    )
    expect(await change(portal, rex, { tag: 900 })).toMatchObject({ status: 400, body: { errors: { tag: [expect.any(String)] } } })
  })
})

describe('visibility on the map', () => {
  test('R-3.13 each user hides a tracker only for themselves', async () => {
    await using portal = await startPortal()
    const [admin, member] = ['admin@pro.example.com', 'member@pro.example.com']
    const seen = async (email: string) => (await portal.call(email, 'GET', `/devices/${proVan}/`)).body.visible
    for (const _ of [1, 2]) expect((await change(portal, proVan, { visible: false }, member)).body.visible).toBe(false)
    expect([await seen(member), await seen(admin)]).toEqual([false, true])
    const list = (await portal.call(member, 'GET', '/devices/?type=tracker')).body
    expect(list.find((device: { id: number }) => device.id === proVan).visible).toBe(false)
    expect((await change(portal, proVan, { visible: true }, member)).body.visible).toBe(true)
  })

  test('R-3.13 changing the name leaves a tracker hidden', async () => {
    await using portal = await startPortal()
    expect((await change(portal, hiker, { name: 'Walker' })).body).toMatchObject({ name: 'Walker', visible: false })
  })
})

describe('mode after a change of kind', () => {
  test('the mode follows a change of kind', async () => {
    const rows = [
      ['a collar moves to a bike', rex, 'bike', 'bike', 21, 1],
      ['a cat becomes a person', misty, 'person', 'person', 23, 3],
      ['a guarded car becomes a dog', familyCar, 'dog', 'dog', 10, 23],
      ['lost mode of a vehicle becomes that of an animal', stolenScooter, 'cat', 'cat', 7, 27],
      ['a pending mode takes precedence', deliveryVan, 'dog', 'dog', 9, 27],
      ['plane mode is allowed for every kind', cessna, 'dog', 'dog', 4, null],
      ['the same level is allowed', familyCar, 'bike', 'bike', 10, null],
      ['a configurable tracker keeps its mode', coldBox, 'cat', 'cat', 50, null],
      ['a plane has no usage of its own', coldBox, 'plane', 'other', 50, null],
      ['a tracker without a subscription follows too', puppy, 'vehicle', 'vehicle', 22, 2],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, id, kind, usage, mode, pending_mode]) => {
          await using portal = await startPortal()
          const { status, body } = await change(portal, id, { kind })
          expect([status, body.kind]).toEqual([200, kind])
          expect(body.tracker_config).toMatchObject({
            usage,
            mode,
            pending_mode,
            mode_state: pending_mode === null ? 'applied' : 'sending',
          })
        },
      ),
    ).toEqual([])
  })

  test('changing the kind back requests the mode that was pending before', async () => {
    await using portal = await startPortal()
    await change(portal, deliveryVan, { kind: 'dog' })
    expect((await change(portal, deliveryVan, { kind: 'vehicle' })).body.tracker_config).toMatchObject({ mode: 9, pending_mode: 7 })
  })

  test('a tracker that becomes a vehicle again gets the vehicle alert mode of the alert that watches it', async () => {
    await using portal = await startPortal()
    await change(portal, familyCar, { kind: 'dog' })
    expect((await change(portal, familyCar, { kind: 'vehicle' })).body.tracker_config).toMatchObject({ mode: 10, pending_mode: null })
  })

  test('a new kind is published to live streams and a new name is not', async () => {
    await using portal = await startPortal()
    const published: string[] = []
    portal.world.live.subscribe(({ type, data }) => void published.push(`${type} ${JSON.parse(data).tracker_config.usage}`))
    await change(portal, rex, { name: 'Rex II' })
    await change(portal, rex, { kind: 'dog' })
    await change(portal, rex, { kind: 'cat' })
    expect(published).toEqual(['mode cat'])
  })
})

test("R-6.9 support changes no tracker, a member only assigned ones, and other accounts' are not found", async () => {
  await using portal = await startPortal()
  expect((await change(portal, rex, { name: 'X' }, 'support@example.com')).status).toBe(403)
  expect((await change(portal, proVan, { name: 'X' }, 'member@pro.example.com')).status).toBe(200)
  expect((await change(portal, proDog, { name: 'X' }, 'member@pro.example.com')).status).toBe(404)
  expect(await change(portal, rex, { name: 'X' }, 'dario@example.com')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import type { DeviceRow } from '#db/scope.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { familyCar, cityBike, trailer, deliveryVan, stolenScooter, oldTracker, companyVan } = SEED.devices
const { carol } = SEED.contacts
const SEEDED = `/tracker_alerts/${SEED.alerts.vehicleAlert}/`

async function watching() {
  const portal = await startPortal()
  const published: string[] = []
  portal.world.live.subscribe(({ type, data }) => {
    const { device, tracker_config: config } = JSON.parse(data)
    published.push(`${type} ${device} ${config.mode} ${config.pending_mode}`)
  })
  const call = async (method: string, path: string, body?: object) => (await portal.call(ALICE, method, path, body)).body
  return {
    published,
    call,
    alert: (ids: number[], change: object = {}) =>
      call('POST', '/tracker_alerts/', { devices: ids, contacts: [carol], vehicle_alert: true, ...change }),
    modes: async (id: number) => {
      const { mode, pending_mode } = await call('GET', `/devices/${id}/tracker_config/`)
      return [mode, pending_mode]
    },
    set: (id: number, change: Partial<DeviceRow>) =>
      portal.world.db.write('everything', (tx) => tx.update(devices).set(change).where(eq(devices.id, id))),
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  }
}

test('R-3.38 a vehicle alert requests the matching mode on each tracker and publishes the requests', async () => {
  await using portal = await watching()
  await portal.alert([trailer, companyVan, familyCar])
  expect(await portal.modes(trailer)).toEqual([3, 10])
  expect(await portal.modes(companyVan)).toEqual([2, 9])
  expect(await portal.modes(familyCar)).toEqual([10, null])
  expect(portal.published).toEqual([`mode ${companyVan} 2 9`, `mode ${trailer} 3 10`])
  const list: { id: number; tracker_config: { pending_mode: number } }[] = await portal.call('GET', '/devices/?type=tracker')
  expect(list.find(({ id }) => id === trailer)?.tracker_config.pending_mode).toBe(10)
})

test('R-3.38 a geofence alert requests no mode', async () => {
  await using portal = await watching()
  await portal.alert([trailer], { vehicle_alert: false, place: SEED.places.home, trigger: 'enter' })
  expect([await portal.modes(trailer), portal.published]).toEqual([[3, null], []])
})

describe('requested mode', () => {
  test('a vehicle alert requests a mode only where the current or pending mode allows it', async () => {
    const rows = [
      ['is based on a pending mode', { mode: 8, pendingMode: 3 }, [8, 10]],
      ['withdraws a pending mode when the current one already has the alert', { mode: 8, pendingMode: 1 }, [8, null]],
      ['leaves a pending mode that has the alert', { mode: 1, pendingMode: 9 }, [1, 9]],
      ['leaves lost mode', { mode: 7, pendingMode: null }, [7, null]],
      ['leaves a pending lost mode', { mode: 2, pendingMode: 7 }, [2, 7]],
      ['leaves plane mode', { mode: 4, pendingMode: null }, [4, null]],
      ['leaves the configurable mode', { mode: 50, pendingMode: null }, [50, null]],
      ['leaves an unknown mode', { mode: 99, pendingMode: null }, [99, null]],
      ['leaves a tracker whose subscription ended', { mode: 1, subEndDate: new Date('2026-03-01T00:00:00Z') }, [1, null]],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, state, modes]) => {
          await using portal = await watching()
          await portal.set(trailer, state)
          const { id } = await portal.alert([trailer])
          expect([id, await portal.modes(trailer)]).toEqual([expect.any(Number), modes])
        },
      ),
    ).toEqual([])
  })

  test('removing a vehicle alert leaves the mode of a tracker without a subscription', async () => {
    await using portal = await watching()
    await portal.set(cityBike, { subState: 'ended' })
    await portal.call('DELETE', SEEDED)
    expect([await portal.modes(cityBike), await portal.modes(familyCar)]).toEqual([
      [8, null],
      [10, 3],
    ])
  })

  test('a vehicle alert for a tracker whose subscription ended is saved without a mode request', async () => {
    await using portal = await watching()
    expect((await portal.alert([oldTracker])).devices).toEqual([oldTracker])
    expect([await portal.modes(oldTracker), portal.published]).toEqual([[1, null], []])
  })
})

describe('vehicle modes after a change of the alert', () => {
  test('an added tracker gets the vehicle alert mode and a removed one loses it', async () => {
    await using portal = await watching()
    await portal.call('PATCH', SEEDED, { devices: [familyCar, trailer] })
    expect(await portal.modes(trailer)).toEqual([3, 10])
    expect(await portal.modes(cityBike)).toEqual([8, 1])
    expect(await portal.modes(familyCar)).toEqual([10, null])
  })

  test('turning an alert into a vehicle alert and back requests and withdraws the mode for all trackers', async () => {
    await using portal = await watching()
    const border = { place: SEED.places.office, trigger: 'leave' }
    const { id } = await portal.alert([trailer, deliveryVan], { vehicle_alert: false, ...border })
    await portal.call('PATCH', `/tracker_alerts/${id}/`, { vehicle_alert: true })
    expect([await portal.modes(trailer), await portal.modes(deliveryVan)]).toEqual([
      [3, 10],
      [9, 7],
    ])
    await portal.call('PATCH', `/tracker_alerts/${id}/`, { vehicle_alert: false })
    expect(await portal.modes(trailer)).toEqual([3, null])
  })

  test('renaming an alert does not restore a mode that the owner has switched off', async () => {
    await using portal = await watching()
    await portal.call('PATCH', `/devices/${cityBike}/tracker_config/`, { mode: 1 })
    await portal.call('PATCH', SEEDED, { name: 'Wheels' })
    expect(await portal.modes(cityBike)).toEqual([8, 1])
  })
})

describe('vehicle modes after removals', () => {
  test('removing the last vehicle alert of a tracker withdraws the mode, an earlier one does not', async () => {
    await using portal = await watching()
    const { id } = await portal.alert([cityBike])
    await portal.call('DELETE', `/tracker_alerts/${id}/`)
    expect(await portal.modes(cityBike)).toEqual([8, null])
    await portal.call('DELETE', SEEDED)
    expect(await portal.modes(cityBike)).toEqual([8, 1])
    expect(portal.published).toEqual([`mode ${cityBike} 8 1`, `mode ${familyCar} 10 3`])
  })

  test('removing a vehicle alert leaves lost mode', async () => {
    await using portal = await watching()
    const { id } = await portal.alert([stolenScooter])
    await portal.call('DELETE', `/tracker_alerts/${id}/`)
    expect([await portal.modes(stolenScooter), portal.published]).toEqual([[7, null], []])
  })

  test('removing a place withdraws the mode of its vehicle alerts', async () => {
    await using portal = await watching()
    await portal.alert([trailer], { place: SEED.places.office, trigger: 'leave' })
    const { id, deleted_alerts: deleted } = await portal.call('DELETE', `/tracker_places/${SEED.places.office}/`)
    expect([id, deleted.length, await portal.modes(trailer)]).toEqual([SEED.places.office, 1, [3, null]])
    expect(portal.published).toEqual([`mode ${trailer} 3 10`, `mode ${trailer} 3 null`])
  })

  test('removing the only contact withdraws the mode of its vehicle alerts', async () => {
    await using portal = await watching()
    expect((await portal.call('DELETE', `/tracker_contacts/${carol}/`)).deleted_alerts).toEqual([SEED.alerts.vehicleAlert])
    expect([await portal.modes(cityBike), await portal.modes(familyCar)]).toEqual([
      [8, 1],
      [10, 3],
    ])
  })

  test('removing two vehicle alerts at once withdraws the mode once', async () => {
    await using portal = await watching()
    const { id } = await portal.alert([cityBike, familyCar])
    await Promise.all([portal.call('DELETE', SEEDED), portal.call('DELETE', `/tracker_alerts/${id}/`)])
    expect(portal.published).toEqual([`mode ${cityBike} 8 1`, `mode ${familyCar} 10 3`])
  })
})

import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { addressCells } from '#db/schema/places.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { openAddressBook, type ReverseGeocode } from './address-book.ts'

const HERE = { lat: -34.90571, lng: -56.20121 }

async function start(reverse: ReverseGeocode) {
  const portal = await startPortal()
  const open = () => openAddressBook(portal.world, reverse)
  return { ...portal, open, book: await open(), [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test('an address is looked up once for all points of a cell, and is still known after a restart', async () => {
  const reverse = vi.fn(async () => 'Rincón 512, Montevideo')
  await using portal = await start(reverse)
  const { nearest, lookUp } = portal.book
  expect(addressOf(nearest, HERE)).toBeNull()
  expect(addressOf(nearest, { ...HERE, lat: HERE.lat + 0.00001 })).toBeNull()
  expect([await lookUp(), await lookUp()]).toEqual([true, false])
  expect(addressOf(nearest, HERE)).toBe('Rincón 512, Montevideo')
  expect(addressOf((await portal.open()).nearest, HERE)).toBe('Rincón 512, Montevideo')
  expect(reverse).toHaveBeenCalledTimes(1)
})

test('the absence of an address is remembered as well', async () => {
  const reverse = vi.fn(async () => null)
  await using portal = await start(reverse)
  addressOf(portal.book.nearest, HERE)
  await portal.book.lookUp()
  expect(addressOf(portal.book.nearest, HERE)).toBeNull()
  expect(await portal.book.lookUp()).toBe(false)
  expect(await portal.world.db.read.select().from(addressCells)).toMatchObject([{ address: null }])
})

test('a tracker at the point gets the address', async () => {
  await using portal = await start(async () => 'Rincón 512, Montevideo')
  const { db } = portal.world
  const [tracker] = await db.read.select().from(devices).where(eq(devices.id, 1))
  await db.write('everything', (tx) => tx.update(devices).set({ address: null }))
  addressOf(portal.book.nearest, { lat: fromFixed7(tracker!.lat!), lng: fromFixed7(tracker!.lng!) })
  await portal.book.lookUp()
  const { body } = await portal.call('alice@example.com', 'GET', '/devices/1/')
  expect(body.tracker_status.last_address).toBe('Rincón 512, Montevideo')
})

test('a failing geocoder gets no request for a minute, then the next one', async () => {
  const reverse = vi.fn<ReverseGeocode>().mockRejectedValueOnce(new Error('down')).mockResolvedValue('Rincón 512')
  await using portal = await start(reverse)
  addressOf(portal.book.nearest, HERE)
  expect([await portal.book.lookUp(), await portal.book.lookUp()]).toEqual([false, false])
  expect(reverse).toHaveBeenCalledTimes(1)
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 60_000) })
  expect(await portal.book.lookUp()).toBe(true)
  expect(addressOf(portal.book.nearest, HERE)).toBe('Rincón 512')
})

test('an address that could not be saved is not looked up again, and saved once the database can be written', async () => {
  const reverse = vi.fn(async () => 'Rincón 512')
  await using portal = await start(reverse)
  addressOf(portal.book.nearest, HERE)
  const full = vi.spyOn(portal.world.db, 'write').mockRejectedValue(new Error('database or disk is full'))
  for (let nth = 0; nth < 3; nth++) await expect(portal.book.lookUp()).rejects.toThrow('disk is full')
  full.mockRestore()
  expect(await portal.book.lookUp()).toBe(true)
  expect(reverse).toHaveBeenCalledTimes(1)
  expect(addressOf(portal.book.nearest, HERE)).toBe('Rincón 512')
})

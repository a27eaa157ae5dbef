import { describe, expect, test } from 'vitest'
import { formatIdentifier } from '#contracts/rules/reading/text.ts'
import { CONFLICTS } from '#server/mock/seed/records/conflicts.ts'
import { freeStockRows } from '#server/mock/seed/records/devices.ts'
import { momentsFrom } from '#server/mock/seed/records/moments.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { emailOf, startSharedPortal } from './testing.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const { portal, trackersOf } = await startSharedPortal()
const PATH = '/devices/trackers/unlink_request/'
const ask = (own: Portal, numbers: { identifier: string } | { serial: string }, key = 'alice') =>
  own.call(emailOf(key), 'POST', PATH, { ...numbers, email: emailOf(key), reason: 'gift' })

/** Sends a message of the hardware itself, which succeeds only for a tracker on an account. */
const speak = (own: Portal, identifier: string) =>
  own.call(null, 'POST', '/devices/ingest/', { identifier, positions: [] }, { 'x-device-key': DEVICE_KEY })

describe('trackers of victor', () => {
  test("R-3.3 victor's trackers are numbered 80000000-01 to 04 and have serial numbers", async () => {
    const numbers = (await trackersOf('victor')).map(({ identifier, serial }) => [identifier, serial]).sort()
    expect(numbers).toEqual(Object.values(CONFLICTS).map((identifier, index) => [identifier, `VICTOR00000${index + 1}`]))
  })

  test.each([
    ['with three attempts left', CONFLICTS.free],
    ['with one attempt left', CONFLICTS.oneAttempt],
  ])('R-7.4 the tracker %s can be requested', async (_, identifier) => {
    await using own = await startPortal()
    expect(await ask(own, { identifier: formatIdentifier(identifier) })).toMatchObject({
      status: 201,
      body: { reference: 'UR-000002', status: 'pending' },
    })
  })

  test('claiming the locked tracker is refused with 423, by identifier and by serial number', async () => {
    const locked = { status: 423, body: { code: 'serial_locked', remaining_attempts: 0 } }
    expect(await ask(portal, { identifier: CONFLICTS.locked })).toMatchObject(locked)
    expect(await ask(portal, { serial: 'VICTOR000003' })).toMatchObject(locked)
  })

  test('a tracker with a pending request cannot be requested again, by anyone', async () => {
    for (const key of ['alice', 'bruno', 'haruka'])
      expect(await ask(portal, { identifier: CONFLICTS.pending }, key)).toMatchObject({ status: 409, body: { code: 'request_pending' } })
  })

  test("an unlink request leaves victor's trackers on his account", async () => {
    await using own = await startPortal()
    await ask(own, { identifier: CONFLICTS.free })
    expect((await own.call(emailOf('victor'), 'GET', '/devices/?type=tracker')).body).toHaveLength(4)
  })
})

describe('free stock items', () => {
  const free = freeStockRows(momentsFrom(new Date('2026-03-02T09:00:00Z')))

  test('there are ten free stock items, of all types in turn, the last one configurable', () => {
    expect(free.map(({ identifier, serial }) => [identifier, serial])).toEqual(
      Array.from({ length: 10 }, (_, index) => {
        const number = String(index + 1).padStart(2, '0')
        return [`90000000${number}`, `FACTORY000${number}`]
      }),
    )
    expect(new Set(free.map(({ type }) => type)).size).toBe(6)
    expect(free.filter(({ boardName }) => boardName.startsWith('SCT2')).map(({ serial }) => serial)).toEqual(['FACTORY00010'])
  })

  test('free stock items are on no account: requests and messages are refused as unknown', async () => {
    expect(
      await collectFailures(
        free,
        ({ identifier }) => identifier,
        async ({ identifier, serial }) => {
          const unknown = { status: 404, body: { code: 'unknown_tracker' } }
          expect(await ask(portal, { identifier })).toMatchObject(unknown)
          expect(await ask(portal, { serial })).toMatchObject(unknown)
          expect(await speak(portal, identifier)).toMatchObject(unknown)
        },
      ),
    ).toEqual([])
  })

  test('messages of trackers on an account are accepted', async () => {
    await using own = await startPortal()
    for (const identifier of Object.values(CONFLICTS)) expect((await speak(own, identifier)).status).toBe(201)
  })
})

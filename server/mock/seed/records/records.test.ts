import { verify } from '@node-rs/argon2'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowedModes, deriveUsage, isModeCode } from '#contracts/rules/tracking/mode.ts'
import { DEVICE_TYPES, usualBoard } from '#contracts/rules/tracking/tracker.ts'
import { openEmpty } from '#db/sqlite/empty.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { ANCHOR, openSeeded } from '#server/mock/seed/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endedSince, moving, standing, tracker, until } from './device-plan.ts'
import { FLEETS } from './fleets.ts'
import { momentsFrom, type Offset } from './moments.ts'
import { getPersona } from './personas.ts'
import { priceRows } from './prices.ts'
import { SEED } from './seed-ids.ts'
import { LINKS, SEED_KEYS, seededPasswordHash, sha256 } from './seed-secrets.ts'
import { createSpotLookup } from './spots.ts'

describe('seed dates', () => {
  const at = momentsFrom(new Date('2026-01-31T09:00:00Z'))

  test('dates are offset from the anchor in calendar months first', async () => {
    const rows: [Offset, string][] = [
      [{}, '2026-01-31T09:00:00.000Z'],
      [{ days: 1 }, '2026-02-01T09:00:00.000Z'],
      [{ days: -31, hours: -9 }, '2025-12-31T00:00:00.000Z'],
      [{ minutes: 90, seconds: 30 }, '2026-01-31T10:30:30.000Z'],
      [{ months: 1 }, '2026-02-28T09:00:00.000Z'],
      [{ months: 1, days: 1 }, '2026-03-01T09:00:00.000Z'],
      [{ months: -2 }, '2025-11-30T09:00:00.000Z'],
    ]
    expect(
      await collectFailures(
        rows,
        ([offset]) => JSON.stringify(offset),
        ([offset, instant]) => expect(at(offset).toISOString()).toBe(instant),
      ),
    ).toEqual([])
  })

  test('a day is 24 hours and an hour 60 minutes in every time zone', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), (count) => {
        expect(at({ days: count })).toEqual(at({ hours: 24 * count }))
        expect(at({ hours: count })).toEqual(at({ minutes: 60 * count }))
      }),
    )
  })
})

describe('spots', () => {
  test('spots are houses of the demo city with the expected address', async () => {
    const spots = createSpotLookup(await openTestCity())
    expect(spots('home')).toMatchObject({ street: 'Rambla República de Chile', number: '4507', neighbourhood: 'Malvín' })
    expect(spots('oldTown').label).toContain('Ciudad Vieja')
    expect(spots('home')).toBe(spots('home'))
  })

  test('a spot is searched for once, and a missing one is named in the error', async () => {
    const city = await openTestCity()
    const asked: string[] = []
    const search: typeof city.search = (text, limit) => {
      asked.push(text)
      return city.search(text, limit)
    }
    const spots = createSpotLookup({ ...city, search })
    for (let time = 0; time < 3; time++) spots('school')
    expect(asked).toEqual(['Avenida General Rivera 4261'])
    expect(() => createSpotLookup({ ...city, search: () => [] })('home')).toThrow('The demo city has no Rambla República de Chile 4507')
  })
})

describe('seed hashes', () => {
  test('random secrets are stored as SHA-256', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('R-3.48 the password is stored as argon2id with a hash that depends on the seed', async () => {
    const [first, other] = [await seededPasswordHash('Demo-1234', 1), await seededPasswordHash('Demo-1234', 2)]
    expect(first).toBe('$argon2id$v=19$m=19456,t=2,p=1$c6A1oeaBtZBF+SQuVbwoOQ$7HcUvMeyxONzl2U9KW/eTjSxKkShhMtEVkY0liSRHqA')
    expect(other).not.toBe(first)
    expect([await verify(other, 'Demo-1234'), await verify(first, 'demo-1234')]).toEqual([true, false])
  })
})

describe('tracker plans', () => {
  test('later traits of a plan override earlier ones', () => {
    const plan = tracker(1, 'Rex', 'tracker_06', 'dog', 21, 85, 'lora', until(200), standing('home', 8), moving('office'), { tag: 3 })
    expect(plan).toMatchObject({ sub: 'active', endsIn: 200, price: 'eur-12m-once', spot: 'office', still: null, event: 'moving', tag: 3 })
    expect(tracker(2, 'Velo', 'tracker_01', 'bike', 1, 20, 'sigfox', endedSince(15))).toMatchObject({ sub: 'ended', endsIn: -15 })
  })

  const plans = FLEETS.flatMap(({ devices }) => devices)

  test('every seeded tracker has exactly one plan', () => {
    expect(plans.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Object.values(SEED.devices).sort((a, b) => a - b))
  })

  test('every tracker is in a mode that its usage and board allow', async () => {
    expect(
      await collectFailures(
        plans,
        ({ name }) => name,
        ({ kind, type, board, mode, pendingMode }) => {
          const allowed = allowedModes(deriveUsage(kind), board ?? usualBoard(type))
          expect(isModeCode(mode)).toBe(true)
          expect(allowed).toContain(mode)
          if (pendingMode !== undefined) expect(allowed).toContain(pendingMode)
        },
      ),
    ).toEqual([])
  })

  test('every price of a tracker exists, and only activated trackers have one', async () => {
    expect(
      await collectFailures(
        plans,
        ({ name }) => name,
        ({ price, sub }) => {
          if (price !== undefined) expect(priceRows.map(({ id }) => id)).toContain(price)
          if (sub === 'none' || sub === 'not_activated') expect(price).toBeUndefined()
        },
      ),
    ).toEqual([])
  })

  test('the default board of a type does not change its displayed type', async () => {
    expect(
      await collectFailures(DEVICE_TYPES, String, (type) => {
        expect(usualBoard(type)).not.toMatch(/^(LWT2|SCT2)/)
      }),
    ).toEqual([])
  })
})

describe('seed names', () => {
  test('keys and links are unique version 4 uuids', () => {
    const all = [...Object.values(SEED_KEYS), ...Object.values(LINKS)]
    expect(new Set(all).size).toBe(all.length)
    for (const uuid of all) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('an unknown persona is an error', () => {
    expect(() => getPersona('nobody')).toThrow('No persona is called nobody')
  })

  test('a database contains its seed and anchor, or is reported as having no demo data', async () => {
    const seeded = await openSeeded()
    const nothing = { size: null, clock: null, ids: null, faults: null, claims: null }
    expect(await readSeed(seeded.read)).toEqual({ seed: 1, anchor: ANCHOR, scenario: 'family', ...nothing })
    seeded.close()
    const empty = openEmpty()
    await expect(readSeed(empty.read)).rejects.toThrow('holds no demo data')
    empty.close()
  })
})

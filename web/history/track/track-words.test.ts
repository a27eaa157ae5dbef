import { createInstance } from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import portal from '#locales/en/portal.json' with { type: 'json' }
import inside from '#locales/en/portal-inside.json' with { type: 'json' }
import history from '#locales/en/portal-trackers.json' with { type: 'json' }
import { collectFailures } from '#server/test/collect-failures.ts'
import { buildTrack, createPoints, START, walk } from '#web/history/charts/test-points.ts'
import { firstTrip } from '#web/history/playback/use-playback.ts'
import { createFormats } from '#web/lib/i18n/format.ts'
import { exportFileName, isOneDay, legWords, momentWords, shortAddress, timeWords } from './track-words.ts'

const en = { ...portal, ...inside, ...history }
// Not the instance of the portal, which changes the document.
const i18n = createInstance()

beforeAll(() => i18n.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } }))
const { t } = i18n
const formats = createFormats('en')
const track = buildTrack(walk)
const plain = (text: string) => text.replace(/\s/g, ' ')
const minute = (count: number) => START + count * 60_000

describe('R-1.8 legs in words', () => {
  const words = (index: number, of = track, kind: 'dog' | 'vehicle' | 'plane' = 'dog') =>
    legWords(t, formats, of.legs[index]!, { track: of, kind })

  test('a stop shows its full address', () => {
    expect(words(0)).toEqual({ title: 'Stopped', detail: 'Calle Uno 1, Centro, Montevideo' })
  })

  test("R-1.9 a stop at a place and a trip to it show the place's name", () => {
    const there = { id: 1, name: 'Park', address: '', type: 'other' as const, radius: 100, devices: [], lat: 1000 / 111_195, lng: 1 }
    const named = (index: number) => legWords(t, formats, track.legs[index]!, { track, kind: 'dog', places: [there] })
    expect([named(0).title, named(1).detail, named(2).title]).toEqual(['Stopped', 'to Park', 'Park'])
  })

  test('a stop whose first fix has no address shows the address of its last', () => {
    const known = createPoints([0, 5, 10, 15].map((at, index) => ({ minute: at, meters: 0, address: index === 3 ? 'Plaza Dos 2' : null })))
    expect(words(0, buildTrack(known)).detail).toBe('Plaza Dos 2')
    expect(words(0, buildTrack(createPoints([0, 5, 10, 15].map((at) => ({ minute: at, meters: 0 }))))).detail).toBe(en.history.noAddress)
  })

  test('a trip is named after the kind of the tracker', async () => {
    expect(
      await collectFailures(
        [
          ['dog', 'Walk, 1 km'],
          ['vehicle', 'Drive, 1 km'],
          ['plane', 'Flight, 1 km'],
        ] as const,
        JSON.stringify,
        ([kind, title]) => {
          const leg = words(1, track, kind)
          expect(leg.title).toBe(title)
          expect(leg.detail).toBe('to Plaza Dos 2')
          expect(leg.speed).toMatch(/^up to \d+ km\/h$/)
        },
      ),
    ).toEqual([])
  })

  test('a way below 100 m within one place is no walk', () => {
    const there = { id: 1, name: 'Home', address: '', type: 'home' as const, radius: 150, devices: [], lat: 0, lng: 1 }
    const short = buildTrack(
      createPoints([0, 10, 20, 30, 31, 41, 51].map((at) => ({ minute: at, meters: at < 31 ? 0 : 90, address: 'Calle Uno 1' }))),
    )
    const trip = short.legs.find(({ kind }) => kind === 'trip')!
    expect(trip.meters).toBeLessThan(100)
    expect(legWords(t, formats, trip, { track: short, kind: 'dog', places: [there] })).toEqual({
      title: 'At Home, moving',
      detail: 'Calle Uno 1',
    })
  })

  test('a gap shows how far away the signal returned, and no speed', () => {
    const lost = buildTrack(createPoints([0, 5, 10, 500, 505].map((at) => ({ minute: at, meters: at < 100 ? 0 : 5000 }))))
    const index = lost.legs.findIndex(({ kind }) => kind === 'gap')
    const leg = words(index, lost)
    expect(leg.title).toBe('No signal')
    expect(leg.detail).toContain('5 km')
    expect(leg.speed).toBeUndefined()
  })
})

describe('R-2.59 moments in words', () => {
  const day = { start: Date.parse('2026-03-02T00:00:00Z'), end: Date.parse('2026-03-03T00:00:00Z') }
  const week = { start: day.start - 6 * DAY_MS, end: day.end }

  test('a day with a clock change is one day, and two days are not', () => {
    expect(isOneDay({ start: 0, end: 23 * HOUR_MS })).toBe(true)
    expect(isOneDay({ start: 0, end: 25 * HOUR_MS })).toBe(true)
    expect(isOneDay({ start: 0, end: 47 * HOUR_MS })).toBe(false)
  })

  test('a time within one day has no date, and within a week it has one', () => {
    const at = new Date(2026, 2, 2, 8, 31).getTime()
    expect(plain(timeWords(formats, at, day))).toBe('8:31 AM')
    expect(plain(timeWords(formats, at, week))).toBe('Mon, Mar 2 8:31 AM')
  })

  test('R-3.25 R-3.27 a moment is shown as speed and battery', async () => {
    expect(
      await collectFailures(
        [
          ['tracker_01', 0, '0 km/h · 90%'],
          ['tracker_01', 16, '6 km/h · 88%'],
          ['tracker_02', 0, '0 km/h · 90 mV'],
          ['tracker_01', 26, '0 km/h · ?'],
        ] as const,
        JSON.stringify,
        ([type, at, words]) => {
          expect(plain(momentWords(t, formats, { type, track, time: minute(at) }))).toBe(words)
        },
      ),
    ).toEqual([])
  })

  test('a track without fixes has no text for a moment', () => {
    expect(momentWords(t, formats, { type: 'tracker_01', track: buildTrack([]), time: START })).toBe('')
  })
})

describe('start of a replay', () => {
  test('the replay starts with the first trip rather than the night', () => {
    expect(firstTrip(track)?.start).toBe(track.legs[1]?.start)
    expect(track.legs[1]?.kind).toBe('trip')
  })

  test('a day at home has no first trip', () => {
    expect(firstTrip(buildTrack(createPoints([0, 5, 10].map((at) => ({ minute: at, meters: 0 })))))).toBeUndefined()
    expect(firstTrip(buildTrack([]))).toBeUndefined()
  })
})

describe('unusual tracks', () => {
  test('a track of one fix has no trip and speed 0', () => {
    const one = buildTrack(createPoints([{ minute: 0, meters: 0, battery: 50 }]))
    expect(one.legs.every(({ kind }) => kind !== 'trip')).toBe(true)
    expect([...one.kmh]).toEqual([0])
    expect(one.topKmh).toBe(1)
  })

  test('an unknown battery level stays unknown until one is reported', () => {
    const points = createPoints([
      { minute: 0, meters: 0 },
      { minute: 5, meters: 0, battery: 0 },
      { minute: 10, meters: 0 },
    ])
    expect([...buildTrack(points).battery]).toEqual([Number.NaN, 0, 0])
  })
})

test('R-1.8 an address is shortened to street and house number', async () => {
  expect(
    await collectFailures(
      [
        ['Calle Uno 1, Centro, Montevideo', 'Calle Uno 1'],
        ['Plaza Virgilio', 'Plaza Virgilio'],
        ['', null],
        [', Centro', null],
        [null, null],
        [undefined, null],
      ] as const,
      JSON.stringify,
      ([address, short]) => expect(shortAddress(address)).toBe(short),
    ),
  ).toEqual([])
})

test('R-1.14 the exported file is named after tracker and days', () => {
  expect(exportFileName('Rex', '2026-02-20', '2026-02-21')).toBe('Rex_2026-02-20_2026-02-21.csv')
  expect(exportFileName('a/b:"c"', '2026-02-20', '2026-02-20')).toBe('a-b-c-_2026-02-20_2026-02-20.csv')
})

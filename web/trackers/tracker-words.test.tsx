import i18next from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import portal from '#locales/en/portal.json' with { type: 'json' }
import inside from '#locales/en/portal-inside.json' with { type: 'json' }
import { collectFailures } from '#server/test/collect-failures.ts'
import { createPins } from '#web/home/map/home-map.tsx'
import { createFormats } from '#web/lib/i18n/format.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'
import { stateWords, subscriptionFact } from './tracker-words.ts'

const en = { ...portal, ...inside }

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } }))
const { t } = i18next
const inDays = (n: number) => new Date(SAMPLE_AT.getTime() + n * 86_400_000).toISOString()
const minutesAgo = (n: number) => new Date(SAMPLE_AT.getTime() - n * 60_000).toISOString()
const old = { lat: -34.9, lng: -56.16, precision: 6, datetime: minutesAgo(60 * 24 * 4) }

describe('R-4.3 R-4.6 state in words', () => {
  test('every state has its label', async () => {
    expect(
      await collectFailures(
        [
          ['Moving', {}],
          ['Stationary for 9 minutes', { status: { stationary_since: minutesAgo(9) } }],
          ['Stationary for 5 hours', { status: { stationary_since: minutesAgo(300) } }],
          ['Position known', { status: { stationary_since: '' } }],
          [en.tracker.state.lost, { config: { mode: 7 } }],
          [en.tracker.state.plane, { config: { mode: 4 } }],
          [en.tracker.state.pending, { config: { pending_mode: 7 } }],
          [en.tracker.state.deactivated, { config: { network_state: 'deactivated' as const } }],
          [en.tracker.state.unplaced, { status: { last_position: null } }],
          [en.tracker.state.silent, { status: { last_position: old, stationary_since: old.datetime } }],
        ] as const,
        JSON.stringify,
        ([words, parts]) => {
          expect(stateWords(t, sampleDevice(parts), SAMPLE_AT)).toBe(words)
        },
      ),
    ).toEqual([])
  })

  const waiting = { sub_state: 'not_activated', sub_end_date: null }
  test('R-4.18 a tracker that is not activated says so unless it moves', async () => {
    expect(
      await collectFailures(
        [
          ['never sent a message', { status: { ...waiting, last_position: null } }, 'Not activated'],
          ['was last heard long ago', { status: { ...waiting, last_position: old, stationary_since: old.datetime } }, 'Not activated'],
          ['already has an end date', { status: { ...waiting, sub_end_date: inDays(700), last_position: null } }, 'Not activated'],
          ['moves', { status: waiting }, 'Moving'],
        ] as const,
        JSON.stringify,
        ([, parts, words]) => {
          expect(stateWords(t, sampleDevice(parts), SAMPLE_AT)).toBe(words)
        },
      ),
    ).toEqual([])
  })

  test('lost mode takes precedence over how long a tracker has been stationary', () => {
    const lost = sampleDevice({ config: { mode: 7 }, status: { stationary_since: minutesAgo(300) } })
    expect(stateWords(t, lost, SAMPLE_AT)).toBe(en.tracker.state.lost)
  })
})

describe('R-4.18 subscription in words', () => {
  const fact = (parts: Parameters<typeof sampleDevice>[0]) => subscriptionFact(t, createFormats('en'), sampleDevice(parts), SAMPLE_AT)
  const price = (recurring: boolean) => ({ id: 'eur-1', months: 1, extra: 0, recurring })

  test('each kind of subscription has its own label and value', async () => {
    expect(
      await collectFailures(
        [
          ['runs until a date', { status: { sub_end_date: inDays(30) } }, en.tracker.until, 'Apr 1, 2026'],
          ['renews', { status: { sub_end_date: inDays(30) }, price: price(true) }, en.tracker.renews, 'Apr 1, 2026'],
          ['was paid once', { status: { sub_end_date: inDays(30) }, price: price(false) }, en.tracker.until, 'Apr 1, 2026'],
          ['has no end', { status: { sub_end_date: null } }, en.tracker.subscription, en.tracker.noEnd],
          ['has ended', { status: { sub_end_date: inDays(-1) } }, en.tracker.endedOn, 'Mar 1, 2026'],
          ['was never activated', { status: { sub_state: 'not_activated', sub_end_date: null } }, en.tracker.subscription, 'Not activated'],
        ] as const,
        JSON.stringify,
        ([, parts, label, value]) => {
          expect(fact(parts)).toEqual({ label, value })
        },
      ),
    ).toEqual([])
  })

  test('a subscription is over once its end has passed, not before', () => {
    expect(fact({ status: { sub_end_date: SAMPLE_AT.toISOString() } }).label).toBe(en.tracker.until)
    expect(fact({ status: { sub_end_date: new Date(SAMPLE_AT.getTime() - 1000).toISOString() } }).label).toBe(en.tracker.endedOn)
  })
})

describe('R-2.58 pins', () => {
  const pins = (parts: Parameters<typeof sampleDevice>[0], chosen?: number) =>
    createPins([sampleDevice({ id: 1, ...parts })], SAMPLE_AT, t, chosen).map(({ id }) => id)

  test('the map has a pin for visible trackers with a position and for the chosen one', async () => {
    expect(
      await collectFailures(
        [
          ['a visible tracker with a position', {}, undefined, [1]],
          ['no tracker without a position', { status: { last_position: null } }, undefined, []],
          ['no tracker without a position, even a chosen one', { status: { last_position: null } }, 1, []],
          ['no hidden tracker', { visible: false }, undefined, []],
          ['a hidden tracker while it is chosen', { visible: false }, 1, [1]],
          ['no hidden tracker while another is chosen', { visible: false }, 2, []],
        ] as const,
        JSON.stringify,
        ([, parts, chosen, expected]) => {
          expect(pins(parts, chosen)).toEqual(expected)
        },
      ),
    ).toEqual([])
  })

  test('a pin is labelled with name and state', () => {
    expect(createPins([sampleDevice()], SAMPLE_AT, t)[0]).toMatchObject({
      label: 'Rex, Moving',
      group: 'moving',
      isMoving: true,
      lat: -34.9,
      lng: -56.16,
    })
  })
})

import i18next from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import portal from '#locales/en/portal.json' with { type: 'json' }
import inside from '#locales/en/portal-inside.json' with { type: 'json' }
import { formatsFor } from '#web/lib/i18n/format.ts'
import { pinsOf } from '#web/map/pins-of.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'
import { stateWords } from './state-words.ts'
import { subscriptionFact } from './subscription-fact.ts'

const en = { ...portal, ...inside }

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } }))
const { t } = i18next
const inDays = (n: number) => new Date(SAMPLE_AT.getTime() + n * 86_400_000).toISOString()
const minutesAgo = (n: number) => new Date(SAMPLE_AT.getTime() - n * 60_000).toISOString()
const old = { lat: -34.9, lng: -56.16, precision: 6, datetime: minutesAgo(60 * 24 * 4) }

describe('R-4.3 R-4.6 state in words', () => {
  test.each([
    ['Moving', {}],
    ['Stationary for 9 minutes', { status: { stationary_since: minutesAgo(9) } }],
    ['Stationary for 5 hours', { status: { stationary_since: minutesAgo(300) } }],
    [en.tracker.state.lost, { config: { mode: 7 } }],
    [en.tracker.state.plane, { config: { mode: 4 } }],
    [en.tracker.state.pending, { config: { pending_mode: 7 } }],
    [en.tracker.state.deactivated, { config: { network_state: 'deactivated' as const } }],
    [en.tracker.state.unplaced, { status: { last_position: null } }],
    [en.tracker.state.silent, { status: { last_position: old, stationary_since: old.datetime } }],
  ])('the state reads "%s"', (words, parts) => {
    expect(stateWords(t, sampleDevice(parts), SAMPLE_AT)).toBe(words)
  })

  const waiting = { sub_state: 'not_activated', sub_end_date: null }
  test.each([
    ['was never heard of', { status: { ...waiting, last_position: null } }, 'Not activated'],
    ['was heard of long ago', { status: { ...waiting, last_position: old, stationary_since: old.datetime } }, 'Not activated'],
    ['has an end date already', { status: { ...waiting, sub_end_date: inDays(700), last_position: null } }, 'Not activated'],
    ['moves all the same', { status: waiting }, 'Moving'],
  ])('R-4.18 a not activated tracker that %s has its state in words', (_, parts, words) => {
    expect(stateWords(t, sampleDevice(parts), SAMPLE_AT)).toBe(words)
  })

  test('lost mode takes precedence over how long a tracker has been stationary', () => {
    const lost = sampleDevice({ config: { mode: 7 }, status: { stationary_since: minutesAgo(300) } })
    expect(stateWords(t, lost, SAMPLE_AT)).toBe(en.tracker.state.lost)
  })
})

describe('R-4.18 subscription in words', () => {
  const fact = (parts: Parameters<typeof sampleDevice>[0]) => subscriptionFact(t, formatsFor('en'), sampleDevice(parts), SAMPLE_AT)
  const price = (recurring: boolean) => ({ id: 'eur-1', months: 1, extra: 0, recurring })

  test.each([
    ['runs until a day', { status: { sub_end_date: inDays(30) } }, en.tracker.until, 'Apr 1, 2026'],
    ['renews by itself', { status: { sub_end_date: inDays(30) }, price: price(true) }, en.tracker.renews, 'Apr 1, 2026'],
    ['was paid once', { status: { sub_end_date: inDays(30) }, price: price(false) }, en.tracker.until, 'Apr 1, 2026'],
    ['has no end', { status: { sub_end_date: null } }, en.tracker.subscription, en.tracker.noEnd],
    ['is over', { status: { sub_end_date: inDays(-1) } }, en.tracker.endedOn, 'Mar 1, 2026'],
    ['was never activated', { status: { sub_state: 'not_activated', sub_end_date: null } }, en.tracker.subscription, 'Not activated'],
  ])('a subscription that %s has its own label and value', (_, parts, label, value) => {
    expect(fact(parts)).toEqual({ label, value })
  })

  test('a subscription is over once its end has passed, not before', () => {
    expect(fact({ status: { sub_end_date: SAMPLE_AT.toISOString() } }).label).toBe(en.tracker.until)
    expect(fact({ status: { sub_end_date: new Date(SAMPLE_AT.getTime() - 1000).toISOString() } }).label).toBe(en.tracker.endedOn)
  })
})

describe('R-2.58 pins', () => {
  const pins = (parts: Parameters<typeof sampleDevice>[0], chosen?: number) =>
    pinsOf([sampleDevice({ id: 1, ...parts })], SAMPLE_AT, t, chosen).map(({ id }) => id)

  test.each([
    ['a visible one with a position', {}, undefined, [1]],
    ['not one without a position', { status: { last_position: null } }, undefined, []],
    ['not one without a position even when chosen', { status: { last_position: null } }, 1, []],
    ['not a hidden one', { visible: false }, undefined, []],
    ['a hidden one while it is chosen', { visible: false }, 1, [1]],
    ['not a hidden one while another is chosen', { visible: false }, 2, []],
  ])('the map shows %s', (_, parts, chosen, expected) => {
    expect(pins(parts, chosen)).toEqual(expected)
  })

  test('a pin is labelled with name and state', () => {
    expect(pinsOf([sampleDevice()], SAMPLE_AT, t)[0]).toMatchObject({ label: 'Rex, Moving', state: 'moving', lat: -34.9, lng: -56.16 })
  })
})

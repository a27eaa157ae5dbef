import { createInstance } from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { computeMotion } from '#contracts/rules/history/motion.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { frequencyWording, stationaryWording } from '#contracts/rules/tracking/reporting.ts'
import { batteryDisplay } from '#contracts/rules/tracking/tracker.ts'
import portal from '#locales/en/portal.json' with { type: 'json' }
import inside from '#locales/en/portal-inside.json' with { type: 'json' }
import { collectFailures } from '#server/test/collect-failures.ts'
import { batteryWords, durationWords, modeWords, motionWords, periodWords, subStateWords, updateWords } from './words.ts'

const en = { ...portal, ...inside }

// Not the instance of the portal, which changes the document.
const i18n = createInstance()

beforeAll(() => i18n.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } }))
const { t } = i18n
const now = new Date('2026-03-02T09:00:00Z')
const since = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test('a battery level is shown as percent or millivolts, and an unknown one as a question mark', async () => {
  expect(
    await collectFailures(
      [
        ['tracker_02', 3650, '3650 mV'],
        ['tracker_02', 0, '0 mV'],
        ['tracker_02', -1, '?'],
        ['tracker_01', 85, '85%'],
        ['tracker_01', 0, '0%'],
        ['triby', null, '?'],
      ] as const,
      JSON.stringify,
      ([type, value, expected]) => {
        expect(batteryWords(t, batteryDisplay(type, value))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('the time without movement is shown as moving, minutes or hours', async () => {
  expect(
    await collectFailures(
      [
        [7.99, 'Moving'],
        [8, 'Stationary for 8 minutes'],
        [100, 'Stationary for 100 minutes'],
        [101, 'Stationary for 2 hours'],
        [1440, 'Stationary for 24 hours'],
      ] as const,
      JSON.stringify,
      ([minutes, expected]) => {
        expect(motionWords(t, computeMotion(since(minutes), now))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('every mode code has its label', async () => {
  expect(
    await collectFailures(
      [
        [1, 'Standard'],
        [3, 'High'],
        [2, 'Intense'],
        [4, 'Plane mode'],
        [7, 'Lost mode'],
        [27, 'Lost mode'],
        [8, 'Standard + vehicle alert'],
        [10, 'High + vehicle alert'],
        [9, 'Intense + vehicle alert'],
        [21, 'Standard (animal)'],
        [23, 'High (animal)'],
        [22, 'Intense (animal)'],
        [50, 'Configurable mode'],
        [99, 'Unknown mode (99)'],
        [0, 'Unknown'],
      ] as const,
      JSON.stringify,
      ([code, expected]) => {
        expect(modeWords(t, modeLabel(code))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('a reporting interval is shown as one number or a range', async () => {
  expect(
    await collectFailures(
      [
        [60, 60, 'every hour'],
        [10, 10, 'every 10 minutes'],
        [1, 1, 'every minute'],
        [10, 15, 'every 10 to 15 minutes'],
        [60, 120, 'every 60 to 120 minutes'],
        [15, 10, 'every 10 to 15 minutes'],
      ] as const,
      JSON.stringify,
      ([min, max, expected]) => {
        expect(updateWords(t, frequencyWording({ min, max }))).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('a tracker without updates says so, and the interval of a stationary tracker is given in whole hours', () => {
  expect(updateWords(t, frequencyWording(null))).toBe('no updates')
  expect(updateWords(t, stationaryWording({ min: 240, max: 240 }))).toBe('every 4 hours')
  expect(updateWords(t, stationaryWording({ min: 1440, max: 1440 }))).toBe('every 24 hours')
})

test('a duration is shown in years and months with free months added', async () => {
  expect(
    await collectFailures(
      [
        [0, 0, 'No change'],
        [1, 0, '1 month'],
        [11, 0, '11 months'],
        [12, 0, '1 year'],
        [13, 0, '1 year 1 month'],
        [18, 0, '1 year 6 months'],
        [24, 1, '2 years + 1 month free'],
      ] as const,
      JSON.stringify,
      ([months, extra, expected]) => {
        expect(durationWords(t, months, extra)).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('a billing period is shown in its largest unit', async () => {
  expect(
    await collectFailures(
      [
        [{ interval: 'month', interval_count: 1 }, 'monthly'],
        [{ interval: 'year', interval_count: 1 }, 'yearly'],
        [{ interval: 'month', interval_count: 3 }, 'every 3 months'],
        [{ interval: 'month', interval_count: 24 }, 'every 2 years'],
        [{ interval: 'month', interval_count: 18 }, 'every 18 months'],
        [null, 'one-time'],
      ] as const,
      JSON.stringify,
      ([recurring, expected]) => {
        expect(periodWords(t, recurring)).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('R-3.21 every subscription state has its label, an unknown one that of no subscription', async () => {
  expect(
    await collectFailures(
      [
        ['active', 'Active'],
        ['not_activated', 'Not activated'],
        ['of another backend', 'No subscription'],
      ] as const,
      JSON.stringify,
      ([state, expected]) => {
        expect(subStateWords(t, state)).toBe(expected)
      },
    ),
  ).toEqual([])
})

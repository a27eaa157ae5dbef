import { expect, test } from 'vitest'
import { LEGACY_THREE_YEAR } from '#contracts/rules/price.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import * as constants from './constants.ts'

/** The numbers of the specification, repeated here so that a slip in the constants fails. */
const specified = {
  'R-9.1 public links per tracker': [constants.MAX_PUBLIC_LINKS, 5],
  'R-9.2 durations of a link, in hours': [constants.LINK_DURATION_HOURS, [1, 24, 168, 720]],
  'R-9.4 the last year that is not permanent': [constants.PERMANENT_AFTER_YEAR, 2100],
  'R-3.58 the end of a permanent link': [constants.PERMANENT_END_DATE, '2200-01-01T00:00:00Z'],
  'R-9.5 digits of an identifier': [constants.IDENTIFIER_DIGITS, { head: 8, tail: 2 }],
  'R-9.6 minutes between reports at rest': [constants.STATIONARY_REPORT_MINUTES, 240],
  'R-9.7 seconds between updates of a boost': [constants.BOOST_INTERVAL_SECONDS, 30],
  'R-9.8 metres of the proximity radar': [constants.RADAR_RANGE_METERS, 20],
  'R-9.9 milliseconds until a request is given up': [constants.REQUEST_TIMEOUT_MS, 30_000],
  'R-9.10 parameters of the configurable mode': [
    constants.SCT2,
    { frequency: [1, 180], keepalive: [1, 1440], uplinkSlices: 2, slice: [60, 720] },
  ],
  'R-9.18 percent off one replacement': [constants.REPLACEMENT_DISCOUNT_PERCENT, 50],
  'R-9.20 the discontinued plan': [LEGACY_THREE_YEAR, { unit_amount: 2985, months: 36, currency: 'eur' }],
  'R-9.22 characters of a password': [
    [constants.PASSWORD_MIN_LENGTH, constants.PASSWORD_MAX_LENGTH],
    [8, 128],
  ],
  'R-4.27 tries at a serial number': [
    [constants.SERIAL_ATTEMPTS, constants.SERIAL_PROOF_MINUTES],
    [3, 15],
  ],
  'R-4.6 minutes below which it moves': [constants.MOVING_BELOW_MINUTES, 8],
  'R-4.8 minutes above which hours are shown': [constants.HOURS_ABOVE_MINUTES, 100],
  'R-4.9 days until the network is switched off': [constants.NETWORK_SILENCE_DAYS, 90],
  'R-3.31 metres of a radius': [constants.PLACE_RADIUS, { min: 50, max: 10_000, default: 200 }],
  'R-7.25 cookie and header against forgery': [
    [constants.CSRF_COOKIE, constants.CSRF_HEADER],
    ['csrftoken', 'X-CSRFToken'],
  ],
  'size of a csv of places': [
    [constants.CSV_MAX_ROWS, constants.CSV_MAX_BYTES],
    [1000, 1_048_576],
  ],
  'R-3.33 columns of a csv of places': [constants.PLACE_CSV_COLUMNS, ['name', 'address', 'type']],
} as const

test('R-9.1 R-9.2 R-9.4 R-3.58 R-9.5 R-9.6 R-9.7 R-9.8 R-9.9 R-9.10 R-9.18 R-9.20 R-9.22 R-4.27 R-4.6 R-4.8 R-4.9 R-3.31 R-7.25 R-3.33 the limits equal those of the specification', async () => {
  expect(
    await collectFailures(
      Object.entries(specified),
      ([name]) => name,
      ([, [actual, expected]]) => expect(actual).toEqual(expected),
    ),
  ).toEqual([])
})

const closed = {
  'R-1.23 languages': [constants.LANGUAGES, 'en fr de es it nl pt sv fi hu cs ja'],
  'R-3.1 types, without tracker_05': [constants.DEVICE_TYPES, 'tracker_01 tracker_02 tracker_03 tracker_04 tracker_06 triby'],
  'R-3.15 kinds': [constants.KINDS, 'dog cat person bike vehicle plane other'],
  'R-3.19 usages, without plane': [constants.USAGES, 'person vehicle dog cat other bike'],
  'R-3.21 states of a subscription': [constants.SUB_STATES, 'none not_activated active ended'],
  'R-3.30 types of a place': [constants.PLACE_TYPES, 'home school work shop warehouse other'],
  'R-3.37 triggers': [constants.TRIGGERS, 'enter leave'],
  'R-3.65 ways of taxing': [constants.TAX_BEHAVIORS, 'inclusive exclusive unspecified'],
  'R-3.77 states of an order': [constants.ORDER_STATUSES, 'in_progress shipping delivered'],
  'R-3.80 states of an invoice': [constants.INVOICE_STATUSES, 'paid open failed'],
  'states of a theft report': [constants.THEFT_STATUSES, 'open closed'],
  'R-4.10 levels, without medium': [constants.MONITORING_LEVELS, 'standard high intense'],
  'R-6.4 roles, deepsupport among them': [constants.ROLES, 'user pro admin deepsupport'],
} as const

test('R-1.23 R-3.1 R-3.15 R-3.19 R-3.21 R-3.30 R-3.37 R-3.65 R-3.77 R-3.80 R-4.10 R-6.4 the closed lists equal those of the specification', async () => {
  expect(
    await collectFailures(
      Object.entries(closed),
      ([name]) => name,
      ([, [actual, expected]]) => expect([...actual].join(' ')).toBe(expected),
    ),
  ).toEqual([])
})

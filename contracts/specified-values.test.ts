import { expect, test } from 'vitest'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contracts/accounts/users.ts'
import { REPLACEMENT_DISCOUNT_PERCENT } from '#contracts/billing/care-claims.ts'
import { ORDER_STATUSES } from '#contracts/billing/orders.ts'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { CSRF_COOKIE, CSRF_HEADER, REQUEST_TIMEOUT_MS } from '#contracts/lib/requests.ts'
import { ROLES } from '#contracts/lib/rights.ts'
import { PLACE_RADIUS, PLACE_TYPES, TRIGGERS } from '#contracts/rules/geo/place.ts'
import { PLACE_CSV_COLUMNS } from '#contracts/rules/geo/place-csv.ts'
import { HOURS_ABOVE_MINUTES, MOVING_BELOW_MINUTES } from '#contracts/rules/history/motion.ts'
import { LINK_DURATION_HOURS, MAX_PUBLIC_LINKS, PERMANENT_AFTER_YEAR, PERMANENT_END_DATE } from '#contracts/rules/link.ts'
import { BOOST_INTERVAL_SECONDS, RADAR_RANGE_METERS } from '#contracts/rules/navigation.ts'
import { LEGACY_THREE_YEAR, TAX_BEHAVIORS } from '#contracts/rules/price.ts'
import { IDENTIFIER_DIGITS } from '#contracts/rules/reading/text.ts'
import { INVOICE_STATUSES, SUB_STATES } from '#contracts/rules/subscription.ts'
import { MONITORING_LEVELS, USAGES } from '#contracts/rules/tracking/mode.ts'
import { NETWORK_SILENCE_DAYS, STATIONARY_REPORT_MINUTES } from '#contracts/rules/tracking/reporting.ts'
import { SCT2 } from '#contracts/rules/tracking/sct2.ts'
import { DEVICE_TYPES, KINDS } from '#contracts/rules/tracking/tracker.ts'
import { SERIAL_ATTEMPTS, SERIAL_PROOF_MINUTES } from '#contracts/trackers/serial-checks.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { CSV_MAX_BYTES, CSV_MAX_ROWS } from './places.ts'
import { THEFT_STATUSES } from './theft.ts'

/** The numbers of the specification, repeated here so that a slip in the code fails. */
const specified = {
  'R-9.1 public links per tracker': [MAX_PUBLIC_LINKS, 5],
  'R-9.2 durations of a link, in hours': [LINK_DURATION_HOURS, [1, 24, 168, 720]],
  'R-9.4 the last year that is not permanent': [PERMANENT_AFTER_YEAR, 2100],
  'R-3.58 the end of a permanent link': [PERMANENT_END_DATE, '2200-01-01T00:00:00Z'],
  'R-9.5 digits of an identifier': [IDENTIFIER_DIGITS, { head: 8, tail: 2 }],
  'R-9.6 minutes between reports at rest': [STATIONARY_REPORT_MINUTES, 240],
  'R-9.7 seconds between updates of a boost': [BOOST_INTERVAL_SECONDS, 30],
  'R-9.8 metres of the proximity radar': [RADAR_RANGE_METERS, 20],
  'R-9.9 milliseconds until a request is given up': [REQUEST_TIMEOUT_MS, 30_000],
  'R-9.10 parameters of the configurable mode': [SCT2, { frequency: [1, 180], keepalive: [1, 1440], uplinkSlices: 2, slice: [60, 720] }],
  'R-9.18 percent off one replacement': [REPLACEMENT_DISCOUNT_PERCENT, 50],
  'R-9.20 the discontinued plan': [LEGACY_THREE_YEAR, { unit_amount: 2985, months: 36, currency: 'eur' }],
  'R-9.22 characters of a password': [
    [PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH],
    [8, 128],
  ],
  'R-4.27 tries at a serial number': [
    [SERIAL_ATTEMPTS, SERIAL_PROOF_MINUTES],
    [3, 15],
  ],
  'R-4.6 minutes below which it moves': [MOVING_BELOW_MINUTES, 8],
  'R-4.8 minutes above which hours are shown': [HOURS_ABOVE_MINUTES, 100],
  'R-4.9 days until the network is switched off': [NETWORK_SILENCE_DAYS, 90],
  'R-3.31 metres of a radius': [PLACE_RADIUS, { min: 50, max: 10_000, default: 200 }],
  'R-7.25 cookie and header against forgery': [
    [CSRF_COOKIE, CSRF_HEADER],
    ['csrftoken', 'X-CSRFToken'],
  ],
  'size of a csv of places': [
    [CSV_MAX_ROWS, CSV_MAX_BYTES],
    [1000, 1_048_576],
  ],
  'R-3.33 columns of a csv of places': [PLACE_CSV_COLUMNS, ['name', 'address', 'type']],
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
  'R-1.23 languages': [LANGUAGES, 'en fr de es it nl pt sv fi hu cs ja'],
  'R-3.1 types, without tracker_05': [DEVICE_TYPES, 'tracker_01 tracker_02 tracker_03 tracker_04 tracker_06 triby'],
  'R-3.15 kinds': [KINDS, 'dog cat person bike vehicle plane other'],
  'R-3.19 usages, without plane': [USAGES, 'person vehicle dog cat other bike'],
  'R-3.21 states of a subscription': [SUB_STATES, 'none not_activated active ended'],
  'R-3.30 types of a place': [PLACE_TYPES, 'home school work shop warehouse other'],
  'R-3.37 triggers': [TRIGGERS, 'enter leave'],
  'R-3.65 ways of taxing': [TAX_BEHAVIORS, 'inclusive exclusive unspecified'],
  'R-3.77 states of an order': [ORDER_STATUSES, 'in_progress shipping delivered'],
  'R-3.80 states of an invoice': [INVOICE_STATUSES, 'paid open failed'],
  'states of a theft report': [THEFT_STATUSES, 'open closed'],
  'R-4.10 levels, without medium': [MONITORING_LEVELS, 'standard high intense'],
  'R-6.4 roles, deepsupport among them': [ROLES, 'user pro admin deepsupport'],
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

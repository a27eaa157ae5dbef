/**
 * Fields next to a position that say that there is no fix, and others that say that there is one. Tests send each by every protocol, import
 * and form that can carry them.
 */
export const WITHOUT_FIX: readonly Record<string, string | number | boolean>[] = [
  { valid: false },
  { valid: 'false' },
  { valid: 0 },
  { valid: '0' },
  { valid: 'N' },
  { valid: 'no' },
  { valid: 'V' },
  { valid: 'NO FIX' },
  { gps_valid: false },
  { fix: false },
  { fix: 0 },
  { fix: 'none' },
  { fix: 'No fix' },
  { gnssfix: 0 },
  { gnssFix: false },
  { gps_fix: 'F' },
  { 'gps-fix': 'searching' },
  { has_fix: 'FALSE' },
  { fixFailed: true },
  { fix_failed: '1' },
  { noFix: 'yes' },
  { fix_type: 0 },
  { fixType: 'NO_FIX' },
  { fix_type: '1' },
  { fix_quality: 0 },
  { sats: 0 },
  { satellites: '0' },
  { num_sats: 0 },
  { sat: 0 },
  { hdop: 99.9 },
  { HDOP: '99,99' },
  { hdop: 100 },
  { pdop: 99.9 },
  { status: 'No fix' },
  { status: 'V' },
  { status: 'void' },
  { gps_status: 'Searching' },
  { gpsStatus: 'invalid' },
  { fix_status: 'no-fix' },
  { outdated: true },
]

export const WITH_FIX: readonly Record<string, string | number | boolean>[] = [
  { valid: true },
  { valid: 'A' },
  { valid: 1 },
  { valid: 'SPS' },
  { valid: '' },
  { fix: '3d' },
  { fix: 'dgps' },
  { fix: 1 },
  { fixFailed: false },
  { fix_failed: 'no' },
  { gnssfix: 1 },
  { fix_type: 3 },
  { fix_quality: 1 },
  { sats: 4 },
  { satellites: '11' },
  { sats: 0, prov: 'network' },
  { hdop: 1.2 },
  { hdop: 0 },
  { status: 'OK' },
  { status: 0 },
  { status: 'error' },
  { outdated: false },
  { validity_period: 0 },
]

const two = (number: number) => String(number).padStart(2, '0')
const shifted = (at: Date, hours: number) => new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, 19)
const clock = (at: Date) => at.toISOString().slice(11, 19)
const days = (at: Date) => ({ y: at.getUTCFullYear(), m: two(at.getUTCMonth() + 1), d: two(at.getUTCDate()) })

/** The same instant in every notation that all readers understand. Tests of protocols, imports and forms share them. */
export const TIME_SPELLINGS: Record<string, (at: Date) => string | number> = {
  'ISO 8601': (at) => at.toISOString(),
  'without a zone': (at) => shifted(at, 0),
  'with a blank': (at) => shifted(at, 0).replace('T', ' '),
  '+00': (at) => `${shifted(at, 0).replace('T', ' ')}+00`,
  '+02': (at) => `${shifted(at, 2)}+02`,
  '-0300': (at) => `${shifted(at, -3)}-0300`,
  '+05:30 after a blank': (at) => `${shifted(at, 5.5)} +05:30`,
  UTC: (at) => `${shifted(at, 0).replace('T', ' ')} UTC`,
  'GMT+2': (at) => `${shifted(at, 2).replace('T', ' ')} GMT+2`,
  'a comma fraction': (at) => `${shifted(at, 0)},250Z`,
  'a micro-second fraction': (at) => `${shifted(at, 0)}.123456+00`,
  'basic format': (at) => `${shifted(at, 0).replace(/[-:]/g, '')}Z`,
  'slashes, year first': (at) => `${days(at).y}/${days(at).m}/${days(at).d} ${clock(at)}`,
  'dots, day first': (at) => `${days(at).d}.${days(at).m}.${days(at).y} ${clock(at)}`,
  'RFC 1123': (at) => at.toUTCString(),
  seconds: (at) => at.getTime() / 1000,
  'seconds as text': (at) => String(at.getTime() / 1000),
  milliseconds: (at) => at.getTime() + 250,
  microseconds: (at) => `${at.getTime()}123`,
  nanoseconds: (at) => `${at.getTime()}123456`,
}

/** Texts that no reader may accept as an instant. */
export const NO_TIMES = [
  '2026-02-30T08:59:00Z',
  '2026-02-29 10:00:00',
  '30.02.2026 10:00:00',
  '2026-03-02T24:00:00Z',
  '2026-03-02T10:60:00Z',
  '03/04/2026 10:00:00',
  '02.03.26 10:00:00',
  'yesterday',
] as const

/** Notations of 34.9° S, 56.15° W. */
export const PLACE_SPELLINGS: readonly [lat: string | number, lng: string | number][] = [
  [-34.9, -56.15],
  ['-34.9', '-56.15'],
  ['-34,9', '-56,15'],
  ['−34.9', '−56.15'],
  ['34.9S', '56.15W'],
  ['S 34,9°', 'W 56,15°'],
  [`34°54'00"S`, `56°09'00"W`],
  ['-34:54:00', '-56:09:00'],
  [-34.9, 303.85],
  ['-34.9', '303.85'],
]

/** Fields of a message that say that the button was pressed. */
export const PRESSES: readonly Record<string, unknown>[] = [
  { alarm: 'sos' },
  { alarm: 'SOS' },
  { alarm: 'sos,geofence' },
  { alarm: 'lowBattery,sos' },
  { alarm: 'geofence; Panic' },
  { alarm: 'sosButton' },
  { alarm: ['geofence', 'sos'] },
  { alarms: ['SOS'] },
  { alarms: [{ type: 'sos' }] },
  { alarm: true, type: 'sos' },
  { alarmType: 'panic' },
  { sos: true },
  { sos: 1 },
  { panic: 'yes' },
]

/** Fields with a unit in their name, and their values in metres, km/h and degrees. */
export const MEASURE_SPELLINGS: readonly [fields: Record<string, string | number>, means: Record<string, number>][] = [
  [{ altitude_ft: 328.084 }, { altitude: 100 }],
  [{ altFt: '328,084' }, { altitude: 100 }],
  [{ 'Altitude (m)': '100' }, { altitude: 100 }],
  [{ ele: '100 m' }, { altitude: 100 }],
  [{ gps_altitude: '0.1 km' }, { altitude: 100 }],
  [{ speed_kmh: 36 }, { speed: 36 }],
  [{ speedMph: '22.369363' }, { speed: 36 }],
  [{ speed_m_s: 10 }, { speed: 36 }],
  [{ speed: '36 km/h' }, { speed: 36 }],
  [{ 'Speed, kn': '19,438445' }, { speed: 36 }],
  [{ accuracy_ft: 39.370079 }, { precision: 12 }],
  [{ accuracy: '12 m' }, { precision: 12 }],
  [{ horizontalAccuracyM: 12 }, { precision: 12 }],
  [{ heading_deg: 90 }, { course: 90 }],
  [{ course: '90°' }, { course: 90 }],
]

import { isTooLong, readNumber } from './number.ts'

/** A name reduced to its letters in lower case, so that `GPS_Fix`, `gps-fix` and `gpsFix0` are one. */
const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

const namesOf = (...names: string[]): ReadonlySet<string> => new Set(names)

/** Fields that say whether there is a fix: false, 0, `N` or a word in `WITHOUT` mean no fix. */
const HAS_FIX = namesOf(
  ...[
    'valid',
    'isvalid',
    'validity',
    'gpsvalid',
    'gnssvalid',
    'positionvalid',
    'locationvalid',
    'fixvalid',
    'validfix',
    'coordinatesvalid',
  ],
  ...[
    'fix',
    'isfix',
    'hasfix',
    'gpsfix',
    'gnssfix',
    'gpsfixed',
    'gnssfixed',
    'fixd',
    'dfix',
    'fixok',
    'gpsfixok',
    'gnssfixok',
    'satfix',
    'positionfix',
  ],
  ...['gpslock', 'gnsslock', 'haslock', 'gpslocked', 'gpsok', 'gpsavailable', 'hasposition', 'haslocation', 'hasgps', 'navvalid'],
  ...[
    'fixquality',
    'gpsquality',
    'gnssquality',
    'positionquality',
    'gpsfixquality',
    'fixstatus',
    'gpsfixstatus',
    'gpsstatus',
    'gnssstatus',
    'positionstatus',
    'locationstatus',
  ],
  ...['gpsstate', 'gnssstate', 'fixstate', 'navstatus', 'navstat'],
)
/** Fields that say that there is no fix, or that the position is an old one. */
const LACKS_FIX = namesOf(
  ...[
    'fixfailed',
    'gpsfixfailed',
    'failedfix',
    'gpsfailed',
    'gnssfailed',
    'nofix',
    'gpsnofix',
    'nogps',
    'nogpsfix',
    'invalid',
    'isinvalid',
    'gpsinvalid',
  ],
  ...[
    'positioninvalid',
    'locationinvalid',
    'fixinvalid',
    'gpserror',
    'gnsserror',
    'gpstimeout',
    'gnsstimeout',
    'fixtimeout',
    'outdated',
    'isoutdated',
  ],
  ...['lastknown', 'islastknown', 'lastknownposition', 'stale', 'isstale', 'cached', 'iscached'],
)
/** The kind of fix by number: 0 and 1 mean no fix, 2 is 2D, 3 is 3D. */
const FIX_KIND = namesOf('fixtype', 'gpsfixtype', 'gnssfixtype', 'fixmode', 'gpsfixmode', 'gpsmode', 'gnssmode')
const SATELLITES = namesOf(
  ...[
    'sat',
    'sats',
    'satellite',
    'satellites',
    'numsat',
    'numsats',
    'nsat',
    'nsats',
    'satcount',
    'satscount',
    'satellitecount',
    'satellitescount',
  ],
  ...[
    'numsatellites',
    'numberofsatellites',
    'gpssat',
    'gpssats',
    'gpssatellites',
    'gnsssatellites',
    'satused',
    'satsused',
    'usedsats',
    'usedsatellites',
  ],
  ...['satellitesused', 'satsinuse', 'satellitesinuse', 'satinuse', 'numsv', 'numsvs', 'svs', 'satnum', 'satelliteno', 'nbsat', 'nbsats'],
)
const DILUTION = namesOf('hdop', 'gpshdop', 'gnsshdop', 'pdop', 'gpspdop', 'horizontaldilution', 'horizontaldilutionofprecision')
/** Names with other meanings as well: only an unambiguous word counts. */
const STATUS = namesOf('status', 'state', 'quality', 'positiontype', 'locationtype')
/** How the position was determined, for phones that also locate themselves by cells and access points, without satellites. */
const PROVIDER = namesOf('prov', 'provider', 'source', 'locationprovider', 'approximate')

/** Receivers without a fix report 99.9 or more; a position of this dilution is useless anyway. */
const NO_FIX_DILUTION = 50

const FALSE = /^(false|f|no|n|off|0+([.,]0+)?|-1)$/
const TRUE = /^(true|t|yes|y|on|1([.,]0+)?)$/
const WITHOUT =
  /^(v|none|void|null island|invalid|not ?valid|no|nf|unfixed|un ?known|un ?available|unlocked|lost|failed|failure|fail|error|time ?out|timed ?out|nothing|search(ing)?|acquiring|waiting|pending|outdated|stale|(no|not|without|wait(ing)? (for)?|search(ing)?( for)?|lost|bad|invalid|acquiring|failed)( a)?( the)?( gps| gnss)?( data| 2d| 3d)? ?(fix|fixed|lock|locked|signal|gps|gnss|position|location|satellites?|sats?|available|data)|(gps|gnss|fix|position|signal)( is)? (lost|invalid|failed|void|searching|none|off|unavailable|not available|time ?out|error|not valid)|(last|last known)( position| location| fix)?)$/
/** The values of these that only a receiver sends. */
const SURELY_WITHOUT =
  /^(v|void|no ?fix|unfixed|search(ing)?|(no|not|without|waiting for|searching for|lost|invalid|acquiring)( a)?( gps| gnss)?( 2d| 3d)? ?(fix|fixed|lock|locked|signal|gps|gnss|position|location|satellites?|sats?)|(gps|gnss|fix|position)( is)? (lost|invalid|failed|void|searching|none|off|unavailable|not valid))$/

type Statement = 'none' | 'unknown'

function toWord(value: unknown): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' && !isTooLong(value)
    ? value
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, ' ')
    : undefined
}

/** A truth value in any notation; undefined for anything else. */
export function readBoolean(value: unknown): boolean | undefined {
  const word = toWord(value)
  if (word === undefined) return undefined
  return TRUE.test(word) ? true : FALSE.test(word) ? false : undefined
}

type Kind = 'has' | 'lacks' | 'kind' | 'satellites' | 'dilution' | 'status' | 'provider'

const kinds: readonly [Kind, ReadonlySet<string>][] = [
  ['has', HAS_FIX],
  ['lacks', LACKS_FIX],
  ['kind', FIX_KIND],
  ['satellites', SATELLITES],
  ['dilution', DILUTION],
  ['status', STATUS],
  ['provider', PROVIDER],
]
/**
 * What a field says about a fix, by its plain name. Most fields say nothing about it, so the name is looked up before the value is read.
 */
const KIND_OF = new Map(kinds.flatMap(([kind, names]) => [...names].map((name) => [name, kind] as const)))

function judge(kind: Kind, value: unknown): Statement {
  const word = toWord(value)
  if (word === undefined || word === '') return 'unknown'
  const says = (isNone: boolean): Statement => (isNone ? 'none' : 'unknown')
  if (kind === 'has') return says(FALSE.test(word) || WITHOUT.test(word))
  if (kind === 'lacks') return says(TRUE.test(word))
  if (kind === 'kind') return says((readNumber(word) ?? 2) <= 1 || WITHOUT.test(word))
  if (kind === 'dilution') return says((readNumber(word) ?? 0) >= NO_FIX_DILUTION)
  return says(kind === 'status' && SURELY_WITHOUT.test(word))
}

/**
 * Whether fields next to a position say that there is no fix, in any notation: then the coordinates are the last known ones, or made up.
 * Names are compared without capitals, blanks, signs and digits. `isDilution` is false for senders that use the field of the dilution for
 * something else.
 */
export function lacksFix(values: Readonly<Record<string, unknown>>, { isDilution = true }: { isDilution?: boolean } = {}): boolean {
  let isWithoutSatellites = false
  let isFoundOtherwise = false
  for (const key in values) {
    const kind = KIND_OF.get(plainName(key))
    const value = values[key]
    if (kind === undefined || typeof value === 'object' || (kind === 'dilution' && !isDilution)) continue
    if (kind === 'satellites') isWithoutSatellites ||= (readNumber(value) ?? 1) <= 0
    else if (kind === 'provider') isFoundOtherwise ||= OTHERWISE.test(String(value))
    else if (judge(kind, value) === 'none') return true
  }
  return isWithoutSatellites && !isFoundOtherwise
}

const OTHERWISE = /net|cell|wi-?fi|wlan|lbs|fused|ble|beacon|true|approx/i

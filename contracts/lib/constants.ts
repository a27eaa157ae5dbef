/**
 * Every number, limit and closed list of the product. A list and its union share a name: `KINDS` is the tuple for zod and for selects,
 * `Kind` its type.
 */

// --- closed lists -------------------------------------------------------------------------------------------------

/**
 * Stands for a value that a closed list lacks, such as one sent by a newer backend. Tests reject it; the portal shows a neutral text and
 * icon.
 */
export type Unlisted = string & Record<never, never>
/** The schema of a list's values in a response. */
type Open<T extends readonly string[]> = T[number] | Unlisted
/** The options of a form: the list, plus the object's current value if the list lacks it, because it is sent back unchanged. */
export const withUnlisted = <T extends string>(list: readonly T[], value: string | undefined): readonly string[] =>
  value === undefined || list.some((each) => each === value) ? list : [...list, value]
/** Returns `value` if `list` contains it, else `other`, which is shown instead. */
export const pickListed = <T extends string, O>(list: readonly T[], value: string, other: O): T | O =>
  list.find((each) => each === value) ?? other

/** Languages of the portal; the first is the fallback. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pt', 'sv', 'fi', 'hu', 'cs', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** Products; all of them are trackers. */
export const DEVICE_TYPES = ['tracker_01', 'tracker_02', 'tracker_03', 'tracker_04', 'tracker_06', 'triby'] as const
export type DeviceType = Open<typeof DEVICE_TYPES>

/** What a tracker is attached to. */
/** Pictures that a tracker can have instead of the default one of its kind. */
export const TRACKER_ICONS = ['scooter', 'motorbike', 'truck', 'caravan', 'boat', 'luggage', 'backpack', 'horse', 'key', 'tool'] as const
export type TrackerIcon = Open<typeof TRACKER_ICONS>
/** Photos are cropped to squares of these sizes, in pixels. */
export const PHOTO = { maxBytes: 10 * 1024 * 1024, maxPixels: 50_000_000, sizes: { large: 512, small: 96 } } as const

export const KINDS = ['dog', 'cat', 'person', 'bike', 'vehicle', 'plane', 'other'] as const
export type Kind = Open<typeof KINDS>

/** Firmware profiles: the kinds without `plane`. */
export const USAGES = ['person', 'vehicle', 'dog', 'cat', 'other', 'bike'] as const
export type Usage = Open<typeof USAGES>

/** State of a tracker's subscription. */
export const SUB_STATES = ['none', 'not_activated', 'active', 'ended'] as const
export type SubState = (typeof SUB_STATES)[number]

/** Roles of an account's users, which decide their rights (`rights.ts`). */
export const ROLES = ['user', 'pro', 'admin', 'deepsupport'] as const
export type Role = (typeof ROLES)[number]

/** Imports and API input may also say `store`, which means `shop`. */
export const PLACE_TYPES = ['home', 'school', 'work', 'shop', 'warehouse', 'other'] as const
export type PlaceType = Open<typeof PLACE_TYPES>

/** Events a tracker can report. */
export const EVENT_TYPES = [
  'position',
  'moving',
  'stationary',
  'place_enter',
  'place_leave',
  'vehicle_alert',
  'low_battery',
  'button',
  'mode_applied',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Reasons to reject a fix of an accepted message. */
export const FIX_FAULTS = ['in_the_future', 'too_old'] as const
export type FixFault = (typeof FIX_FAULTS)[number]

/**
 * Reasons to mark a position as wrong: 0° N 0° E; far less precise than this tracker usually is; an old position sent again with a new
 * time; reached and left at an impossible speed, alone or with its neighbours. `kept`: confirmed as right by the owner.
 */
export const POSITION_MARKS = ['zero', 'vague', 'stale', 'jump', 'run', 'kept'] as const

/** The most positions whose mark one call changes. */
export const MARK_MAX_POSITIONS = 1000

/** Limits of a device's own measurements: km/h, metres above sea level. */
export const MEASURED = { speed: [0, 2000], altitude: [-1000, 100_000] } as const

/** The direction in which crossing a place's border fires an alert. */
export const TRIGGERS = ['enter', 'leave'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** Radio networks of the trackers. */
export const OPERATORS = ['sigfox', 'lora', 'helium', 'lte_m', 'none'] as const
export type Operator = (typeof OPERATORS)[number]

export const ORDER_STATUSES = ['in_progress', 'shipping', 'delivered'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const DISPUTE_STATUSES = ['open', 'lost', 'won'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]
export const INVOICE_STATUSES = ['paid', 'open', 'failed'] as const
export type InvoiceStatus = Open<typeof INVOICE_STATUSES>

export const NETWORK_STATES = ['active', 'deactivated'] as const
export type NetworkState = Open<typeof NETWORK_STATES>

/** `sending` until the tracker's next message applies the mode. */
export const MODE_STATES = ['applied', 'sending'] as const

/** In ascending intensity. The portal's texts call `high` "medium", but no value does. */
export const MONITORING_LEVELS = ['standard', 'high', 'intense'] as const
export type MonitoringLevel = (typeof MONITORING_LEVELS)[number]

export const TAX_BEHAVIORS = ['inclusive', 'exclusive', 'unspecified'] as const
export type TaxBehavior = Open<typeof TAX_BEHAVIORS>

/** How often a price recurs. */
export const INTERVALS = ['month', 'year'] as const
export type Interval = Open<typeof INTERVALS>

/** Two-decimal currencies an account can have; nothing is sold in chf. */
export const CURRENCIES = ['eur', 'usd', 'gbp', 'chf'] as const
export type Currency = (typeof CURRENCIES)[number]

export const UNLINK_REASONS = ['bought_used', 'gift', 'own_other_account', 'other'] as const

export const THEFT_STATUSES = ['open', 'closed'] as const

export const DEVICE_SORTS = ['battery', 'lastEvent', 'name', 'stationary'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]

// --- sharing ------------------------------------------------------------------------------------------------------

export const MAX_PUBLIC_LINKS = 5
/** A link that ends after this UTC year is shown as permanent. */
export const PERMANENT_AFTER_YEAR = 2100
export const PERMANENT_END_DATE = '2200-01-01T00:00:00Z'
/** Durations offered for a link: 1 hour, 24 hours, 7 days, 30 days. */
export const LINK_DURATION_HOURS = [1, 24, 168, 720] as const
export const DEFAULT_LINK_DURATION_HOURS = 24

// --- devices that report themselves ---------------------------------------------------------------------------------

/** The most keys per tracker with which phones may report positions. */
export const MAX_DEVICE_KEYS = 5
/** Days for which uplinks of networks are stored unparsed. */
export const UPLINK_DAYS = 30
/** Metres: the worst precision a fix may have, the precision of a fix without one, and metres per unit of dilution (HDOP). */
export const PRECISION = { max: 100_000, unknown: 25, perHdop: 5 } as const

// --- account ------------------------------------------------------------------------------------------------------

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
export const BIRTH_YEAR_MIN = 1900
/** Lifetime of a session token. */
export const TOKEN_DAYS = 30
/** A session that is unused for this long expires. */
export const SESSION_IDLE_DAYS = 14
/** Calls that could cost the user the account need a sign-in, or a confirmation of it, within the last so many minutes. */
export const RECENT_SIGN_IN_MINUTES = 10
/** A browser that has not signed in for this long counts as new. */
export const KNOWN_BROWSER_DAYS = 365
export const SECURITY_LOG_DAYS = 365
/** An account whose address is not confirmed within so many days is deleted, unless it has a tracker or an order. */
export const UNCONFIRMED_DAYS = 30
/** Invoices of an erased account are stored for this many years, the longest period that an EU country requires. */
export const INVOICE_YEARS = 10
/** Failed logins per account and window before the server responds with 429. */
export const LOGIN_ATTEMPTS = { max: 10, windowMinutes: 15 } as const
/** Lifetime of the keys in e-mails. */
export const EMAIL_KEY_HOURS = { confirm: 24, change: 24, reset: 1, invitation: 168, revert: 168 } as const
/** Expired e-mail keys are deleted after this time; until then a request with one is rejected as expired. */
export const ENDED_KEY_DAYS = 30
/** Sent and given-up mails are deleted after this time. */
export const SENT_MAIL_DAYS = 90
/** Confirmation e-mails per account and hour. */
export const CONFIRMATION_EMAILS_PER_HOUR = 5
/** Trackers per team member; below the number of parameters a database accepts in one statement. */
export const TEAM_DEVICES_MAX = 10_000

// --- identifiers and the serial check -----------------------------------------------------------------------------

/** Printed on the product as `12345678-90`. */
export const IDENTIFIER_DIGITS = { head: 8, tail: 2 } as const
export const SERIAL_LENGTH = 12
export const VERIFICATION_CODE_LENGTH = 8
export const SERIAL_ATTEMPTS = 3
export const SERIAL_PROOF_MINUTES = 15
/** How far in the future the time of a theft may be, because the clock of the reporting person may be fast. */
export const THEFT_AHEAD_MINUTES = 5

// --- tracker behaviour --------------------------------------------------------------------------------------------

/** A stationary tracker reports every 4 hours. */
export const STATIONARY_REPORT_MINUTES = 240
export const BOOST_INTERVAL_SECONDS = 30
/** Length of a boost in minutes. */
export const BOOST_MINUTES = { min: 5, max: 60 } as const
export const RADAR_RANGE_METERS = 20
export const MOVING_BELOW_MINUTES = 8
export const HOURS_ABOVE_MINUTES = 100
export const NETWORK_SILENCE_DAYS = 90
/** A renewing subscription counts as ended only after this time, because the provider may still be charging the card. */
export const RENEWAL_GRACE_HOURS = 24
/** Capacity in the units of the battery-life formula. */
export const BATTERY_CAPACITY = 12_600
/** Parameters of the configurable mode: minutes as inclusive ranges, and the only allowed slice lengths. */
export const SCT2 = { frequency: [1, 180], keepalive: [1, 1440], uplinkSlices: 2, slice: [60, 720] } as const

/** Fixes per message. */
export const MESSAGE_MAX_POSITIONS = 1000
/** How far a tracker's clock may be ahead of the server's, and the earliest credible fix: no tracker existed before. */
export const FIX_TIME = { aheadMinutes: 10, earliest: '2000-01-01T00:00:00Z' } as const
/** Positions that one tracker's own keys may report on one day (UTC), and how old they may be in days (D-51). */
export const REPORTS = { perDay: 20_000, maxAgeDays: 30 } as const
/** Battery readings: mV for tracker_02, percent otherwise; -1 is unknown. */
export const BATTERY_RANGE = { unknown: -1, percent: 100, millivolts: 10_000 } as const

// --- places, alerts, tags, csv ------------------------------------------------------------------------------------

/** In metres. */
export const PLACE_RADIUS = { min: 50, max: 10_000, default: 200 } as const
/** Trackers, and contacts, per alert. */
export const ALERT_LIST_MAX = 200
/** Colours assigned in turn to tags created without one. */
export const TAG_COLORS = [
  '#1f6fb2',
  '#d9622b',
  '#2e7d32',
  '#b3261e',
  '#7b4fb5',
  '#00798c',
  '#b8860b',
  '#6b7280',
  '#c2185b',
  '#6d4c41',
] as const
/** The most objects of each kind per account (D-50): far more than people use, so that no program can fill the database. */
export const ACCOUNT_LIMITS = { contacts: 1000, places: 5000, alerts: 1000, tags: 200, apiTokens: 20 } as const
export const CSV_MAX_ROWS = 1000
export const CSV_MAX_BYTES = 1_048_576
export const PLACE_CSV_COLUMNS = ['name', 'address', 'type'] as const
export const HISTORY_CSV_COLUMNS = ['datetime', 'latitude', 'longitude', 'precision', 'address', 'event', 'battery'] as const
/** Columns that a csv export adds to those of a history. */
export const MEASURED_CSV_COLUMNS = ['speed', 'course', 'altitude', 'mark'] as const
export const EXPORT_FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const
/** `rec` is the storage of the OwnTracks recorder, `timeline` a Google Timeline of any age. */
export const IMPORT_FORMATS = ['gpx', 'kml', 'geojson', 'csv', 'rec', 'timeline', 'tcx', 'fit'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]
/** `preview` has saved nothing; `saving` has saved a part. */
export const IMPORT_STATES = ['preview', 'saving', 'saved'] as const
export type ImportState = (typeof IMPORT_STATES)[number]
/** Reasons to skip a position of a file. */
export const IMPORT_FAULTS = ['no_time', 'bad_time', ...FIX_FAULTS, 'bad_coordinates', 'no_fix', 'unreadable'] as const
export type ImportFault = (typeof IMPORT_FAULTS)[number]
/** Reasons to refuse a whole file. */
export const IMPORT_PROBLEMS = [
  ...['unknown_format', 'web_page', 'archive', 'spreadsheet', 'other_takeout'],
  ...['broken', 'forbidden', 'too_deep', 'too_complex', 'too_many', 'empty', 'all_skipped'],
] as const
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number]
/** Faults of a file: it was cut off, or a part of it is corrupt. */
export const IMPORT_DAMAGES = ['ends_early', 'damaged'] as const
export type ImportDamage = (typeof IMPORT_DAMAGES)[number]
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
/** Positions per page of a history, and days per request. */
export const HISTORY_PAGE_SIZE = 500
export const HISTORY_MAX_DAYS = 366
/** Longest text of each kind, in characters. */
/** Shown instead of a name that a backend omits. */
export const UNNAMED = '–'

export const TEXT_LENGTH = {
  deviceName: 50,
  placeName: 80,
  alertName: 80,
  address: 200,
  tagName: 30,
  personName: 50,
  phone: 30,
  linkLabel: 60,
  keyLabel: 60,
  networkServer: 500,
  uplinkPath: 120,
  message: 1000,
  description: 2000,
  policeReference: 60,
} as const

// --- money --------------------------------------------------------------------------------------------------------

/** Discount of a care plan on one device replacement. */
export const REPLACEMENT_DISCOUNT_PERCENT = 50

// --- transport ----------------------------------------------------------------------------------------------------
export const REQUEST_TIMEOUT_MS = 30_000
export const CSRF_COOKIE = 'csrftoken'
export const CSRF_HEADER = 'X-CSRFToken'

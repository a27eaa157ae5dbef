/**
 * Every number, limit and closed list of the product, once.
 * A list and its union share the subject: `KINDS` is the tuple for zod and for selects, `Kind` its type.
 */

// --- closed lists -------------------------------------------------------------------------------------------------

/** Languages of the portal; the first is the fallback. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pt', 'sv', 'fi', 'hu', 'cs', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** Products, all of them trackers (C-24). */
export const DEVICE_TYPES = ['tracker_01', 'tracker_02', 'tracker_03', 'tracker_04', 'tracker_06', 'triby'] as const
export type DeviceType = (typeof DEVICE_TYPES)[number]

/** What a tracker follows. */
export const KINDS = ['dog', 'cat', 'person', 'bike', 'vehicle', 'plane', 'other'] as const
export type Kind = (typeof KINDS)[number]

/** Firmware profile: the kinds without `plane` (C-09). */
export const USAGES = ['person', 'vehicle', 'dog', 'cat', 'other', 'bike'] as const
export type Usage = (typeof USAGES)[number]

/** State of a tracker's subscription (D-16). */
export const SUB_STATES = ['none', 'not_activated', 'active', 'ended'] as const
export type SubState = (typeof SUB_STATES)[number]

/** Rights of an account (D-01). */
export const ROLES = ['user', 'pro', 'admin', 'deepsupport'] as const
export type Role = (typeof ROLES)[number]

/** Csv and API input `store` means `shop` (C-23). */
export const PLACE_TYPES = ['home', 'school', 'work', 'shop', 'warehouse', 'other'] as const
export type PlaceType = (typeof PLACE_TYPES)[number]

/** What a tracker can report (D-29). */
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

/** Why a position is refused though its message is taken (D-33). */
export const FIX_FAULTS = ['in_the_future', 'too_old'] as const
export type FixFault = (typeof FIX_FAULTS)[number]

/** Which crossing of a place's border fires an alert. */
export const TRIGGERS = ['enter', 'leave'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** Radio networks a tracker speaks on. */
export const OPERATORS = ['sigfox', 'lora', 'helium', 'lte_m', 'none'] as const
export type Operator = (typeof OPERATORS)[number]

export const ORDER_STATUSES = ['in_progress', 'shipping', 'delivered'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** */
export const INVOICE_STATUSES = ['paid', 'open', 'failed'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** Network connectivity. */
export const NETWORK_STATES = ['active', 'deactivated'] as const
export type NetworkState = (typeof NETWORK_STATES)[number]

/** `sending` until the tracker's next communication applies the mode. */
export const MODE_STATES = ['applied', 'sending'] as const

/** In ascending intensity; `medium` is a word of the copy, never a value (C-12). */
export const MONITORING_LEVELS = ['standard', 'high', 'intense'] as const
export type MonitoringLevel = (typeof MONITORING_LEVELS)[number]

/** */
export const TAX_BEHAVIORS = ['inclusive', 'exclusive', 'unspecified'] as const
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number]

/** How a price recurs. */
export const INTERVALS = ['month', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** Currencies with two decimals an account may have; nothing is sold in chf (C-29). */
export const CURRENCIES = ['eur', 'usd', 'gbp', 'chf'] as const
export type Currency = (typeof CURRENCIES)[number]

/** D-15. */
export const UNLINK_REASONS = ['bought_used', 'gift', 'own_other_account', 'other'] as const

/** D-34. */
export const THEFT_STATUSES = ['open', 'closed'] as const

/** D-23. */
export const DEVICE_SORTS = ['battery', 'lastEvent', 'name', 'stationary'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]

// --- sharing ------------------------------------------------------------------------------------------------------

export const MAX_PUBLIC_LINKS = 5
/** A link that ends after this UTC year is shown as permanent. */
export const PERMANENT_AFTER_YEAR = 2100
export const PERMANENT_END_DATE = '2200-01-01T00:00:00Z'
/** Durations offered for a link: 1 hour, 24 hours, 7 days, 30 days (D-17). */
export const LINK_DURATION_HOURS = [1, 24, 168, 720] as const
export const DEFAULT_LINK_DURATION_HOURS = 24

// --- devices that report themselves ---------------------------------------------------------------------------------

/** Keys with which phones may speak for one tracker. */
export const MAX_DEVICE_KEYS = 5
/** Metres: the least exact a position may be, one that does not say how exact it is, and what a dilution of 1 stands for. */
export const PRECISION = { max: 100_000, unknown: 25, perHdop: 5 } as const

// --- account ------------------------------------------------------------------------------------------------------

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
export const BIRTH_YEAR_MIN = 1900
/** Session tokens live this long (D-36). */
export const TOKEN_DAYS = 30
/** Wrong logins per account and window before 429 (D-36). */
export const LOGIN_ATTEMPTS = { max: 10, windowMinutes: 15 } as const
/** How long the keys in e-mails work (D-27, E-93). */
export const EMAIL_KEY_HOURS = { confirm: 24, change: 24, reset: 1, invitation: 168 } as const
/** Keys of e-mails are kept so long after their end, since until then they answer that they are out of time (D-27). */
export const ENDED_KEY_DAYS = 30
/** Mails are kept so long after they were sent. */
export const SENT_MAIL_DAYS = 90
/** Verification e-mails an account may ask for (E-21). */
export const CONFIRMATION_EMAILS_PER_HOUR = 5
/** Trackers that one member of a team may be given; fewer than a database takes in one statement. */
export const TEAM_DEVICES_MAX = 10_000

// --- identifiers and the serial check -----------------------------------------------------------------------------

/** Printed on the product as `12345678-90`. */
export const IDENTIFIER_DIGITS = { head: 8, tail: 2 } as const
export const SERIAL_LENGTH = 12
export const VERIFICATION_CODE_LENGTH = 8
export const SERIAL_ATTEMPTS = 3
export const SERIAL_PROOF_MINUTES = 15
/** How far ahead of ours the clock of who reports a theft may be. */
export const THEFT_AHEAD_MINUTES = 5

// --- tracker behaviour --------------------------------------------------------------------------------------------

/** A stationary tracker reports every 4 hours. */
export const STATIONARY_REPORT_MINUTES = 240
export const BOOST_INTERVAL_SECONDS = 30
/** Length of a boost in minutes (E-63). */
export const BOOST_MINUTES = { min: 5, max: 60 } as const
export const RADAR_RANGE_METERS = 20
export const MOVING_BELOW_MINUTES = 8
export const HOURS_ABOVE_MINUTES = 100
export const NETWORK_SILENCE_DAYS = 90
/** A subscription that renews itself is told to have ended only after this time: the provider may still be charging the card. */
export const RENEWAL_GRACE_HOURS = 24
/** Capacity in the units of the battery-life formula. */
export const BATTERY_CAPACITY = 12_600
/** Parameters of the configurable mode: minutes, inclusive ranges, the only slice lengths. */
export const SCT2 = { frequency: [1, 180], keepalive: [1, 1440], uplinkSlices: 2, slice: [60, 720] } as const

/** Positions that one message may carry (E-71). */
export const MESSAGE_MAX_POSITIONS = 1000
/** How far the clock of a tracker may be ahead of ours, and before when there was no tracker (D-33). */
export const FIX_TIME = { aheadMinutes: 10, earliest: '2000-01-01T00:00:00Z' } as const
/** What a battery can read: mV of a tracker_02, otherwise percent; -1 is unknown. */
export const BATTERY_RANGE = { unknown: -1, percent: 100, millivolts: 10_000 } as const

// --- places, alerts, tags, csv ------------------------------------------------------------------------------------

/** Metres. */
export const PLACE_RADIUS = { min: 50, max: 10_000, default: 200 } as const
/** Trackers, and contacts, that one alert may name. */
export const ALERT_LIST_MAX = 200
/** Colours that tags get when nobody chooses, one after the other. */
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
export const CSV_MAX_ROWS = 1000
export const CSV_MAX_BYTES = 1_048_576
export const PLACE_CSV_COLUMNS = ['name', 'address', 'type'] as const
export const HISTORY_CSV_COLUMNS = ['datetime', 'latitude', 'longitude', 'precision', 'address', 'event', 'battery'] as const
/** History answers this many positions a page and spans at most this many days (E-37). */
export const HISTORY_PAGE_SIZE = 500
export const HISTORY_MAX_DAYS = 366
/** Longest text of each kind, in characters (R-3.2 …, D-15). */
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
  message: 1000,
  description: 2000,
  policeReference: 60,
} as const

// --- money --------------------------------------------------------------------------------------------------------

/** The discontinued 3-year plan of the price-increase message: 9.95 euro per year. */
export const LEGACY_THREE_YEAR = { unit_amount: 2985, months: 36, currency: 'eur' } as const
/** What a care plan takes off one device replacement. */
export const REPLACEMENT_DISCOUNT_PERCENT = 50

// --- transport ----------------------------------------------------------------------------------------------------

export const REQUEST_TIMEOUT_MS = 30_000
export const CSRF_COOKIE = 'csrftoken'
export const CSRF_HEADER = 'X-CSRFToken'

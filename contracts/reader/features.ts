/**
 * Features that a backend may lack, as listed in `features` of `/config.json`: groups of the contract by name, and parts of them.
 * `contracts/reader/feature-calls.ts` says which calls belong to each, `docs/real-backend.md` what the portal leaves out.
 */
export const OPTIONAL = [
  'accountLinks',
  'alerts',
  'boost',
  'confirmations',
  'conflicts',
  'contacts',
  'currentSubscriptions',
  'deviceKeys',
  'exportCsv',
  'history',
  'invoices',
  'links',
  'live',
  'me',
  'modes',
  'networkActivation',
  'orders',
  'passwordChange',
  'passwordReset',
  'paymentMethods',
  'placeImport',
  'places',
  'sct2',
  'serialChecks',
  'settings',
  'subscriptions',
  'tags',
  'team',
  'theft',
  'theftReports',
  'trackerChange',
  'trackerRemoval',
  'trackers',
] as const

/** Calls beyond those that another backend needs. The portal uses them only where the configuration lists them. */
const EXTRAS = [
  'addresses',
  'alertSwitch',
  'apiTokens',
  'batteryAlert',
  'careClaims',
  'dataCopy',
  'days',
  'export',
  'firings',
  'groupLinks',
  'handOff',
  'import',
  'keyMessages',
  'linkDestination',
  'madeByUsers',
  'marks',
  'networkNumbers',
  'networkServer',
  'owners',
  'passkeys',
  'photos',
  'push',
  'quietHours',
  'refusedPositions',
  'secondFactor',
  'retention',
  'securityLog',
  'sessionList',
  'signOut',
  'track',
  'ways',
] as const

export const FEATURES = [...OPTIONAL, ...EXTRAS] as const
export type Feature = (typeof FEATURES)[number]

export const isExtra = (name: Feature) => EXTRAS.some((extra) => extra === name)

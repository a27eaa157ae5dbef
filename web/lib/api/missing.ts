import * as z from 'zod/mini'
import { Id } from '#contracts/lib/common.ts'
import { ROLES } from '#contracts/lib/constants.ts'
import type { Feature } from '#contracts/lib/features.ts'
import type { RequestInput, Route } from '#contracts/lib/route.ts'
import { hasFeature, markMissing } from './features.ts'

/**
 * Tells whether a failed call is one that the backend does not have. Loaded with the first response that may mean so, so that a backend which
 * has everything costs nothing.
 */

/**
 * What a 404 means: that the call is missing, if the tracker it names is in the list (`tracker`), or only as a page of HTML, because the call
 * itself looks something up (`page`). Without either, it is missing if its path names no object.
 */
type On404 = 'tracker' | 'page'

/** Which feature is missing if a call is missing; the first match counts. */
const CALLS: readonly [Feature, RegExp, On404?][] = [
  ['addresses', /^GET \/addresses\//],
  ['firings', /\/alert_firings\//],
  ['alertSwitch', /\/tracker_alerts\/:id\/switch\//],
  ['alerts', /\/tracker_alerts\//],
  ['contacts', /\/tracker_contacts\//],
  ['placeImport', /\/tracker_places\/import_csv\//],
  ['places', /\/tracker_places\//],
  ['tags', /\/tracker_tags\//],
  ['groupLinks', /^POST \/tracker_public_share_links\/$/],
  ['accountLinks', /^GET \/tracker_public_share_links\/$/],
  // Where a backend reads one link, a 404 may also mean that the tracker has none.
  ['links', /^GET .*\/public_share_link\//, 'page'],
  ['links', /\/public_share_link\//, 'tracker'],
  ['keyMessages', /\/:id\/keys\/messages\//, 'tracker'],
  ['deviceKeys', /\/:id\/keys\/$/, 'tracker'],
  ['deviceKeys', /\/:id\/keys\//],
  ['days', /\/:id\/days\//, 'tracker'],
  ['ways', /\/:id\/ways\//, 'tracker'],
  ['careClaims', /\/care_claim\//, 'tracker'],
  ['careClaims', /\/care_claims\//],
  ['batteryAlert', /\/battery_alert\//, 'tracker'],
  ['networkNumbers', /\/network_keys\//],
  ['networkServer', /\/network_server\//],
  ['networkNumbers', /\/(network_numbers|uplink_mapping)\//, 'tracker'],
  ['theftReports', /\/theft_report\//, 'tracker'],
  ['theft', /\/theft_form\//, 'tracker'],
  ['exportCsv', /\/tracker_data\/export_csv\//, 'tracker'],
  ['marks', /\/tracker_data\/marks\//, 'tracker'],
  ['refusedPositions', /\/tracker_data\/refused\//, 'tracker'],
  ['export', /\/tracker_data\/export\//, 'tracker'],
  ['import', /\/:id\/imports\/$/, 'tracker'],
  ['import', /\/:id\/imports\//],
  ['track', /\/tracker_data\/track\//, 'tracker'],
  ['history', /\/tracker_data\//, 'tracker'],
  ['live', /\/devices\/live\//],
  ['owners', /\/devices\/owners\//],
  ['boost', /\/realtime_boost\//, 'tracker'],
  ['sct2', /\/mode_param2\//, 'page'],
  ['modes', /^PATCH .*\/tracker_config\/$/, 'tracker'],
  ['networkActivation', /\/network_activate\//, 'tracker'],
  ['photos', /\/(photo|icon)\//, 'tracker'],
  ['trackerChange', /^PATCH \/devices\/:id\/$/, 'tracker'],
  ['trackerRemoval', /^DELETE \/devices\/:id\/$/, 'tracker'],
  ['trackers', /^POST \/devices\/trackers\/$/],
  ['conflicts', /\/unlink_request\//, 'page'],
  ['serialChecks', /\/serial_check\//, 'page'],
  ['signOut', /^DELETE .*\/web_get_token\//],
  ['handOff', /\/auth\/hand_off\//],
  ['apiTokens', /\/users\/tokens\//],
  ['dataCopy', /\/users\/export\//],
  ['push', /\/users\/push\//],
  ['quietHours', /\/users\/quiet_hours\//],
  ['retention', /\/users\/retention\//],
  ['securityLog', /\/users\/security_log\//],
  ['sessionList', /\/users\/sessions\//],
  ['confirmations', /\/users\/change_email\/$/],
  ['secondFactor', /\/users\/second_factor\//],
  ['passkeys', /\/users\/passkeys\//],
  ['passkeys', /\/auth\/passkey\//],
  ['passwordReset', /\/users\/password_reset\/$/],
  ['passwordChange', /\/users\/change_password\//],
  ['settings', /\/users\/settings\//],
  ['me', /^GET \/users\/me\//],
  ['madeByUsers', /\/users\/team\/:id\/made\//],
  ['team', /\/users\/team\//],
  ['orders', /\/users\/orders\//],
  ['invoices', /\/users\/invoices\//],
  ['paymentMethods', /\/users\/payment_methods\//],
  ['currentSubscriptions', /\/users\/subscriptions\//],
  ['subscriptions', /\/users\/tracker_prices/],
]

/** Features that can be read as well as changed. Only a rejected GET means that they are missing; a rejected change may mean read-only. */
export const READABLE = new Set<Feature>([
  'alerts',
  'contacts',
  'places',
  'tags',
  'links',
  'deviceKeys',
  'theftReports',
  'settings',
  'team',
  'invoices',
  'paymentMethods',
])

/** Without the whole there is no part to ask for. */
const PARTS: Partial<Record<Feature, Feature>> = {
  history: 'exportCsv',
  links: 'accountLinks',
  places: 'placeImport',
}

export type Refusal = {
  status: number
  /** Reads the body, or else the status. */
  code: string
  /** The body is HTML. */
  isPage: boolean
}

type Ask = (route: Route, request: RequestInput) => Promise<unknown>

/** Remembers a feature as missing if the answer to one of its calls shows that. `ask` sends another call. */
export async function noteMissing(route: Route, request: RequestInput, refusal: Refusal, ask: Ask): Promise<void> {
  const [feature, , on404] = CALLS.find(([, calls]) => calls.test(`${route.method} ${route.path}`)) ?? []
  if (!feature || !hasFeature(feature) || !(await isMissing(feature, route, request, refusal, on404, ask))) return
  const part = PARTS[feature]
  if (part) markMissing(part)
  markMissing(feature)
}

async function isMissing(
  feature: Feature,
  { method, path, errors }: Route,
  { params }: RequestInput,
  { status, code, isPage }: Refusal,
  on404: On404 | undefined,
  ask: Ask,
): Promise<boolean> {
  if (status === 405 || status === 501) return method === 'GET' || !READABLE.has(feature)
  if (status !== 404) return status === 200 && isPage
  // Only the call itself knows these words.
  if (errors?.some((own) => own === code)) return false
  if (on404 === 'tracker') return isListed(params?.id, ask)
  return on404 === 'page' ? isPage : !path.includes(':')
}

/** The list of trackers by their ids only, because the whole contract of trackers would split a chunk that the map loads. */
const LIST: Route = {
  method: 'GET',
  path: '/devices/',
  summary: '',
  access: ROLES,
  response: { 200: z.array(z.object({ id: Id })) },
  safety: 'read',
  provenance: 'spec',
}

/** Whether the account has the tracker now: one that was just removed elsewhere is a 404 of its own. */
async function isListed(id: unknown, ask: Ask): Promise<boolean> {
  const listed = (await ask(LIST, { query: { type: 'tracker' } })) as readonly { id: unknown }[]
  return listed.some((device) => String(device.id) === String(id))
}

import type { Route } from '#contracts/lib/route.ts'
import type { Feature } from './features.ts'

/**
 * What a 404 means: the call is missing, if the tracker it names is in the list (`tracker`), or only as a page of HTML, because the call
 * itself looks something up (`page`). Without either, it is missing if its path names no object.
 */
export type On404 = 'tracker' | 'page'

/** The missing feature for each missing call; the first match counts. */
const CALLS: readonly [Feature, RegExp, On404?][] = [
  ['addresses', /^GET \/addresses\//],
  ['firings', /\/alert_firings\/$/],
  ['alertInbox', /\/alert_firings\//],
  ['silences', /\/alert_silences\//],
  ['alertDryRun', /\/tracker_alerts\/dry_run\//],
  ['alertSwitch', /\/tracker_alerts\/:id\/switch\//],
  ['alerts', /\/tracker_alerts\//],
  ['contacts', /\/tracker_contacts\//],
  ['placeImport', /\/tracker_places\/import_csv\//],
  ['normal', /\/tracker_places\/suggestions\//],
  ['places', /\/tracker_places\//],
  ['tags', /\/tracker_tags\//],
  ['groupLinks', /^POST \/tracker_public_share_links\/$/],
  ['accountLinks', /^GET \/tracker_public_share_links\/$/],
  // On a backend that reads a single link, a 404 may also mean that the tracker has none.
  ['links', /^GET .*\/public_share_link\//, 'page'],
  ['links', /\/public_share_link\//, 'tracker'],
  ['keyMessages', /\/:id\/keys\/messages\//, 'tracker'],
  ['deviceKeys', /\/:id\/keys\/$/, 'tracker'],
  ['deviceKeys', /\/:id\/keys\//],
  ['days', /\/:id\/days\//, 'tracker'],
  ['ways', /\/:id\/ways\//, 'tracker'],
  ['normal', /\/:id\/normal\//, 'tracker'],
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
  ['phones', /^POST \/devices\/phones\/$/],
  ['conflicts', /\/unlink_request\//, 'page'],
  ['serialChecks', /\/serial_check\//, 'page'],
  ['signOut', /^DELETE .*\/web_get_token\//],
  ['handOff', /\/auth\/hand_off\//],
  ['apiTokens', /\/users\/tokens\//],
  ['dataCopy', /\/users\/export\//],
  ['push', /\/users\/push\//],
  ['channels', /\/users\/channels\//],
  ['quietHours', /\/users\/quiet_hours\//],
  ['retention', /\/users\/retention\//],
  ['announcements', /\/users\/announcements\//],
  ['terms', /\/users\/terms\//],
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
  ['planMoves', /\/users\/plan_moves\//],
  ['planPauses', /\/users\/plan_pauses\//],
  ['orders', /\/users\/orders\//],
  ['invoices', /\/users\/invoices\//],
  ['paymentMethods', /\/users\/payment_methods\//],
  ['currentSubscriptions', /\/users\/subscriptions\//],
  ['subscriptions', /\/users\/tracker_prices/],
]

/** If the whole feature is missing, its parts are not requested either. */
export const PARTS: Partial<Record<Feature, Feature>> = {
  history: 'exportCsv',
  links: 'accountLinks',
  places: 'placeImport',
}

/** The feature that a call belongs to, and the meaning of a 404 to it; undefined for calls that every backend has. */
export const findFeatureOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  CALLS.find(([, calls]) => calls.test(`${method} ${path}`))

import type { Page } from '@playwright/test'
import type { Language } from '#contracts/lib/languages.ts'
import type { RouteName } from '#web/lib/navigation/routing.ts'

type Translate = (key: string) => string

/** A screen to check: every route of the portal, and its notable states and dialogs. */
export type Screen = {
  name: RouteName
  /** A state other than the plain screen; one word, part of the picture's name. */
  state?: string
  path: string
  /** Key of the signed-in persona. */
  as?: string
  /** Browser storage left by earlier visits. */
  kept?: { local?: Record<string, string>; tab?: Record<string, string> }
  /** Interaction that leads to the state. */
  act?: (page: Page, translate: Translate) => Promise<unknown>
  /** Selector that appears with the state; by default an open dialog. */
  ready?: string
  /** The only language this screen is shown in. */
  language?: Language
  /** The screen can be opened once only; the next visit shows something else. */
  isSpent?: true
  /** A request fails on purpose. */
  fails?: true
}

const key = (end: string) => `5eed0000-0000-4000-8000-000000000${end}`

const press =
  (word: string, within = 'main') =>
  (page: Page, translate: Translate) =>
    page
      .locator(within)
      .getByRole('button', { name: translate(word), exact: true })
      .first()
      .click()
/** Presses the button of one entry of a list: `Delete: Bob`. */
const pressOf = (word: string, name: string) => (page: Page, translate: Translate) =>
  page.getByRole('button', { name: `${translate(word)}: ${name}`, exact: true }).click()
const choose = (selector: string) => (page: Page) => page.locator(selector).first().click()

/** Reloads the screen with a failing server. */
const refuse = (calls: string) => async (page: Page) => {
  await page.route(calls, (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
}
/** Submits a form without filling it in. */
const refused = { act: choose('main button[type="submit"]'), ready: '[aria-invalid="true"]' }
const CALENDAR = 'main button[aria-expanded][title]'
/** The line about positions that look wrong. */
const WRONG = 'main button[aria-expanded]:not([aria-controls], [title])'

const native = { local: { nativeApp: 'true' } }
const ableApp = { local: { nativeApp: 'true', deeplinkCapability: '3' } }
const conflictOf = (identifier: string, request?: object) => ({
  tab: { conflict: JSON.stringify({ identifier, ...(request && { request }) }) },
})
const asked = { email: 'alice@example.com', reason: 'bought_used' }

const alice = (name: RouteName, path: string, more: Partial<Screen> = {}): Screen => ({ name, path, as: 'alice', ...more })
const anyone = (name: RouteName, path: string, more: Partial<Screen> = {}): Screen => ({ name, path, ...more })
/** The screen of an account without any data. */
const empty = (name: RouteName, path: string): Screen => ({ name, path, as: 'dario', state: 'empty' })
const supports = (name: RouteName, path: string): Screen => ({ name, path, as: 'support', state: 'readonly' })

const map: Screen[] = [
  alice('index', '/'),
  alice('index', '/', { state: 'nomatch', act: (page) => page.locator('main input').first().fill('zzz'), ready: 'main' }),
  alice('index', '/', { state: 'layers', act: press('map.layers'), ready: 'main [aria-expanded="true"]' }),
  alice('index', '/', { state: 'palette', act: (page) => page.keyboard.press('Control+k') }),
  alice('index', '/', {
    state: 'menu',
    act: choose('nav [aria-expanded], nav a[href="/account"]'),
    ready: 'nav [aria-expanded="true"] + div > *, main section',
  }),
  empty('index', '/'),
  { name: 'index', path: '/', as: 'bruno', state: 'invoice', ready: 'main [role="alert"]' },
  { name: 'index', path: '/', as: 'chloe', state: 'unconfirmed', ready: 'main a[href="/account_email"]' },
  { name: 'index', path: '/', as: 'haruka', state: 'kanji', language: 'ja' },
  { name: 'index', path: '/', as: 'admin', state: 'team' },
  { name: 'index', path: '/', as: 'member', state: 'member' },
  supports('index', '/'),
  alice('map', '/map'),
  empty('map', '/map'),
]

const tracker: Screen[] = [
  alice('tracker', '/trackers/1'),
  alice('tracker', '/trackers/1', { state: 'details', act: choose('article summary'), ready: 'details[open]' }),
  alice('tracker', '/trackers/3', { state: 'share', act: press('tracker.share', 'article') }),
  alice('tracker', '/trackers/1', { state: 'boost', act: press('tracker.boost', 'article') }),
  alice('tracker', '/trackers/1', { state: 'lost', act: press('tracker.lost', 'article') }),
  alice('tracker', '/trackers/3', { state: 'mode', act: press('tracker.mode', 'article') }),
  alice('tracker', '/trackers/2', { state: 'phone', act: press('tracker.connectPhone', 'article') }),
  alice('tracker', '/trackers/5', { state: 'plane' }),
  alice('tracker', '/trackers/7', { state: 'unplaced' }),
  alice('tracker', '/trackers/9', { state: 'ended' }),
  alice('tracker', '/trackers/11', { state: 'stolen' }),
  alice('tracker', '/trackers/13', { state: 'sending' }),
  alice('tracker', '/trackers/15', { state: 'unsubscribed' }),
  alice('tracker', '/trackers/999', { state: 'unknown' }),
  supports('tracker', '/trackers/1'),
]

const history: Screen[] = [
  alice('trackerHistory', '/trackers/1/history'),
  alice('trackerHistory', '/trackers/1/history', { state: 'calendar', act: choose(CALENDAR), ready: 'main table' }),
  alice('trackerHistory', '/trackers/2/history?from=2026-02-23&to=2026-03-01', { state: 'week' }),
  alice('trackerHistory', '/trackers/5/history', { state: 'heights', act: press('history.chartsWithHeight'), ready: 'figure' }),
  alice('trackerHistory', '/trackers/6/history', { state: 'wrong', act: choose(WRONG), ready: 'main ul button[aria-pressed]' }),
  alice('trackerHistory', '/trackers/1/history', { state: 'film', act: press('history.film.open'), ready: 'dialog[open] canvas' }),
  alice('trackerHistory', '/trackers/18/history', { state: 'empty' }),
  alice('trackerHistory', '/trackers/999/history', { state: 'unknown', fails: true }),
  alice('trackerMonths', '/trackers/1/months'),
  alice('trackerMonths', '/trackers/1/months?year=2025', { state: 'before' }),
  alice('trackerMonths', '/trackers/1/months?view=review', { state: 'review', ready: 'main section img' }),
  alice('trackerMonths', '/trackers/7/months', { state: 'empty' }),
]

const trackers: Screen[] = [
  alice('trackers', '/trackers'),
  alice('trackers', '/trackers', { state: 'share', act: press('tracker.share') }),
  empty('trackers', '/trackers'),
  supports('trackers', '/trackers'),
  alice('trackerAdd', '/trackers/add'),
  alice('trackerAdd', '/trackers/add', { state: 'refused', ...refused }),
  { name: 'trackerAdd', path: '/trackers/add', as: 'member', state: 'member' },
  alice('conflicting', '/conflicting', { kept: conflictOf('8000000001') }),
  alice('conflicting', '/conflicting', { state: 'none' }),
  alice('conflictingUnlink', '/conflicting-unlink', { kept: conflictOf('8000000001') }),
  alice('conflictingSecurity', '/conflicting-security', { kept: conflictOf('8000000001', asked) }),
  alice('conflictingSerial', '/conflicting-serial', { kept: conflictOf('8000000002', asked) }),
  alice('conflictingFail', '/conflicting-fail'),
  alice('trackerSettings', '/trackers/1/settings'),
  alice('trackerSettings', '/trackers/13/settings', { state: 'sending' }),
  alice('trackerSettings', '/trackers/9/settings', { state: 'deactivated' }),
  alice('trackerSettings', '/trackers/3/settings', { state: 'remove', act: press('settings.remove') }),
  supports('trackerSettings', '/trackers/1/settings'),
  alice('configSct2', '/config_sct2?id=10'),
  alice('configSct2', '/config_sct2?id=1', { state: 'unknown' }),
  alice('networkActivate', '/network_activate?id=9'),
  alice('networkActivate', '/network_activate', { state: 'choose' }),
  alice('networkActivate', '/network_activate?id=1', { state: 'active' }),
  alice('tags', '/tags'),
  alice('tags', '/tags', { state: 'add', act: press('tags.add') }),
  alice('tags', '/tags', { state: 'trackers', act: pressOf('tags.choose', 'Pets') }),
  alice('tags', '/tags', { state: 'share', act: pressOf('tracker.share', 'Pets') }),
  alice('tags', '/tags', { state: 'delete', act: pressOf('action.delete', 'Pets') }),
  empty('tags', '/tags'),
  { name: 'operatorsHelium', path: '/operators/helium/', as: 'alice' },
  empty('operatorsHelium', '/operators/helium/'),
]

const places: Screen[] = [
  alice('places', '/places'),
  alice('places', '/places', { state: 'delete', act: pressOf('action.delete', 'Home') }),
  empty('places', '/places'),
  supports('places', '/places'),
  alice('placeNew', '/places/new'),
  alice('placeNew', '/places/new', { state: 'refused', ...refused }),
  alice('place', '/places/1'),
  alice('place', '/places/999', { state: 'unknown' }),
  alice('placeImport', '/places/import'),
  alice('alerts', '/alerts'),
  alice('alerts', '/alerts', { state: 'delete', act: (page, translate) => deleteFirst(page, translate) }),
  empty('alerts', '/alerts'),
  alice('alertsFired', '/alerts/fired'),
  empty('alertsFired', '/alerts/fired'),
  alice('alertNew', '/alerts/new'),
  alice('alertNew', '/alerts/new', { state: 'refused', ...refused }),
  { name: 'alertNew', path: '/alerts/new', as: 'dario', state: 'empty' },
  alice('alert', '/alerts/1'),
  alice('alert', '/alerts/3', { state: 'vehicle' }),
  alice('contacts', '/contacts'),
  alice('contacts', '/contacts', { state: 'add', act: press('contacts.add') }),
  alice('contacts', '/contacts', { state: 'edit', act: pressOf('action.edit', 'Bob') }),
  alice('contacts', '/contacts', { state: 'delete', act: pressOf('action.delete', 'Carol') }),
  empty('contacts', '/contacts'),
]

const sharing: Screen[] = [
  alice('publicLinks', '/public_links'),
  alice('publicLinks', '/public_links?id=1', { state: 'one' }),
  { name: 'publicLinks', path: '/public_links', as: 'admin', state: 'several' },
  alice('publicLinks', '/public_links', { state: 'new', act: press('publicLinks.new') }),
  alice('publicLinks', '/public_links', { state: 'qr', act: choose('main li button + button') }),
  alice('publicLinks', '/public_links', { state: 'delete', act: choose('main li button + button + button') }),
  empty('publicLinks', '/public_links'),
  alice('appPublicLinks', '/app/public_links', { kept: native }),
  anyone('pubTrackers', `/pub/trackers?token=${key('001')}`),
  anyone('pubTrackers', `/pub/trackers?token=${key('004')}`, { state: 'last' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('006')}`, { state: 'empty' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('009')}`, { state: 'several' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('010')}`, { state: 'arrival' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('0ff')}`, { state: 'invalid', fails: true }),
  alice('appTheftFile', '/app/theft_file?id=11'),
  alice('appTheftFile', '/app/theft_file?id=11', { state: 'close', act: press('theft.close') }),
  alice('appTheftFile', '/app/theft_file?id=3', { state: 'report', fails: true }),
  alice('appTheftFile', '/app/theft_file', { state: 'choose' }),
]

const money: Screen[] = [
  alice('subscriptionSelector', '/subscriptionSelector'),
  empty('subscriptionSelector', '/subscriptionSelector'),
  alice('subscription', '/subscription?devices=2'),
  alice('subscription', '/subscription?devices=14', { state: 'pro' }),
  { name: 'subscription', path: '/subscription?devices=42', as: 'usha', state: 'usd' },
  { name: 'subscription', path: '/subscription?devices=43', as: 'erika', state: 'chf' },
  alice('subscription', '/subscription', { state: 'which' }),
  alice('subscription', '/subscription?message=price_increase', { state: 'increase' }),
  alice('linkSubscription', '/link_subscription?code=LINK2026'),
  alice('linkSubscriptionSuccess', '/link_subscription_success'),
  alice('orders', '/orders'),
  empty('orders', '/orders'),
  alice('orders', '/orders', { state: 'failed', act: refuse('**/users/orders/**'), ready: 'main [role="alert"]', fails: true }),
  alice('order', '/orders/ORD-1001'),
  alice('order', '/orders/ORD-9', { state: 'unknown', fails: true }),
  alice('invoices', '/invoices'),
  { name: 'invoices', path: '/invoices', as: 'bruno', state: 'failed' },
  { name: 'invoices', path: '/invoices', as: 'bruno', state: 'pay', act: press('purchases.payInvoice') },
  empty('invoices', '/invoices'),
  alice('paymentMethods', '/payment_methods'),
  { name: 'paymentMethods', path: '/payment_methods', as: 'bruno', state: 'expired' },
  empty('paymentMethods', '/payment_methods'),
]

const account: Screen[] = [
  anyone('login', '/login'),
  anyone('login', '/login?view=reset_password', { state: 'forgot' }),
  anyone('login', `/login?view=reset_password&key=${key('106')}`, { state: 'reset' }),
  anyone('login', '/login', { state: 'refused', act: signInWrongly, ready: 'main [role="alert"]', fails: true }),
  // A separate user, because it ends the session for all windows.
  { name: 'logout', path: '/logout', as: 'zoe' },
  anyone('signup', '/signup'),
  anyone('signup', '/signup', { state: 'refused', ...refused }),
  { name: 'accountEmail', path: '/account_email', as: 'chloe' },
  { name: 'accountEmailSent', path: '/account_email_sent', as: 'chloe' },
  anyone('accountConfirmation', `/account_confirmation?key=${key('101')}`, { isSpent: true }),
  anyone('accountConfirmation', `/account_confirmation?key=${key('103')}`, { state: 'already' }),
  anyone('accountConfirmation', `/account_confirmation?key=${key('102')}`, { state: 'expired', fails: true }),
  anyone('accountConfirmation', '/account_confirmation', { state: 'error' }),
  anyone('accountEmailUpdateComplete', `/account_email_update_complete?key=${key('104')}`, { isSpent: true }),
  anyone('accountEmailUpdateComplete', `/account_email_update_complete?key=${key('105')}`, { state: 'expired', fails: true }),
  alice('account', '/account'),
  alice('account', '/account/app', { state: 'app', kept: native }),
  { name: 'account', path: '/account', as: 'admin', state: 'team' },
  alice('accountProfilUpdate', '/account_profil_update'),
  alice('accountEmailUpdate', '/account_email_update'),
  alice('accountPreferences', '/account/preferences'),
  alice('accountPassword', '/account/password'),
  alice('accountSecurity', '/account/security'),
  alice('accountDelete', '/account_delete'),
  { name: 'accountDelete', path: '/account_delete', as: 'admin', state: 'team' },
  { name: 'administrationUsers', path: '/administration/users', as: 'admin' },
  { name: 'administrationUsers', path: '/administration/users', as: 'admin', state: 'add', act: press('team.add') },
]

const app: Screen[] = [
  anyone('contactUs', '/contact_us'),
  anyone('startTrackApp', '/start_track_app/'),
  anyone('startSdcApp', '/start_sdc_app/'),
  anyone('installRestart', '/install_restart'),
  anyone('installQuit', '/install_quit'),
  anyone('main', '/main', { kept: native }),
  alice('verifyAuth', '/verify_auth'),
  anyone('deepLink', '/deep-link?target=elsewhere'),
  anyone('nativeFindmy', '/app/native/findmy'),
  anyone('nativeFindmy', '/app/native/findmy', { state: 'able', kept: ableApp }),
  anyone('nativeRtb', '/app/native/rtb'),
  anyone('nativeRtb', '/app/native/rtb', { state: 'able', kept: ableApp }),
  anyone('appNeedsUpdate', '/exit'),
  anyone('operator', '/operator', { fails: true }),
  anyone('legal', '/legal/terms'),
  anyone('error', '/error'),
  anyone('notFound', '/nope'),
  alice('notFound', '/nope', { state: 'inside' }),
]

async function signInWrongly(page: Page) {
  await page.locator('main input').first().fill('alice@example.com')
  await page.locator('main input[type="password"]').fill('not hers at all')
  await page.locator('main button[type="submit"]').first().click()
}

const deleteFirst = (page: Page, translate: Translate) =>
  page
    .getByRole('button', { name: new RegExp(`^${translate('action.delete')}`) })
    .first()
    .click()

export const groups = { map, tracker, history, trackers, places, sharing, money, account, app }

export const screens = Object.values(groups).flat()

/** Screens without data. They send no request, so they are the same with every backend. */
export const WITHOUT_DATA = new Set<RouteName>([
  ...(['contactUs', 'startTrackApp', 'startSdcApp', 'installRestart', 'installQuit', 'deepLink'] as const),
  ...(['nativeFindmy', 'nativeRtb', 'appNeedsUpdate', 'error', 'notFound'] as const),
])

/** Names a picture; must stay stable, as pictures are compared by name. */
export const nameOf = ({ name, state }: Screen) => (state ? `${name}-${state}` : name)

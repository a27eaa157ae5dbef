import type { Feature } from '#contracts/reader/features.ts'
import type { NativeScreen } from '#web/host-app/native-screens.tsx'
import type { Layout, Right, RouteName, RouteRow, ScreenRow } from '#web/lib/navigation/routing.ts'
import { hasFeature } from '#web/lib/other-backends/features.ts'
import { session } from '#web/lib/session.ts'
import { sessionsApi } from '#web/sign-in/sign-in.api.ts'

/** The map of file names to all screens is large; signing in, the home map and a history don't wait for it. */
const lazyScreen = (screen: string) => async () => (await import('./screens.ts')).loadScreen(screen)
const nativeScreen = (screen: NativeScreen) => async () => (await import('./screens.ts')).loadNativeScreen(screen)

const loginScreen = () => import('#web/sign-in/login-screen.tsx')
const historyScreen = () => import('#web/history/history-screen.tsx')
const alertScreen = lazyScreen('alerts/alert')
const homeScreen = () => import('#web/home/home-screen.tsx')
const accountScreen = lazyScreen('account/account')
const mailSentScreen = lazyScreen('confirmation/sent')
const needsUpdateScreen = nativeScreen('needsUpdate')

type Screen = ScreenRow['screen']
type Words = NonNullable<ScreenRow['words']>

const screenRow =
  (layout: Layout, access: ScreenRow['access']) =>
  (name: RouteName, path: string, screen: Screen, words: Words = [], may?: Right): ScreenRow => ({
    name,
    path,
    layout,
    access,
    screen,
    words,
    ...(may && { may }),
  })

/** Layouts of signed-in screens (next to the rail, or alone in an app's web view) and of public ones (bare, or the login frame). */
const portalPage = screenRow('navigation', 'session')
const barePage = screenRow('bare', 'session')
const publicPage = screenRow('bare', 'public')
const eitherPage = screenRow('either', 'public')
const authPage = screenRow('auth', 'public')

/** A screen for backends with one of the features. */
const needing = (features: Feature | readonly Feature[], row: ScreenRow): ScreenRow => ({ ...row, features: [features].flat() })

/**
 * All routes. Router, guards, titles (`title.<name>`) and `lastVisitedRoute` derive from this table. Rows with the same `screen` keep it
 * mounted when the route changes from one to the other.
 */
export const routes: RouteRow[] = [
  portalPage('index', '/', homeScreen),
  portalPage('tracker', '/trackers/:id', homeScreen),
  portalPage('trackers', '/trackers', homeScreen),
  needing('trackers', portalPage('trackerAdd', '/trackers/add', lazyScreen('add-tracker/add-tracker'), ['trackers'])),
  needing('trackers', portalPage('conflicting', '/conflicting', lazyScreen('conflict/conflicting'), ['trackers'])),
  needing('conflicts', portalPage('conflictingUnlink', '/conflicting-unlink', lazyScreen('conflict/unlink'), ['trackers'])),
  needing('conflicts', portalPage('conflictingSecurity', '/conflicting-security', lazyScreen('conflict/security'), ['trackers'])),
  needing('serialChecks', portalPage('conflictingSerial', '/conflicting-serial', lazyScreen('conflict/serial'), ['trackers'])),
  portalPage('conflictingFail', '/conflicting-fail', lazyScreen('conflict/fail'), ['trackers']),
  portalPage('trackerHistory', '/trackers/:id/history', historyScreen, ['trackers']),
  needing('days', portalPage('trackerMonths', '/trackers/:id/months', lazyScreen('history/months/months'), ['trackers', 'places'])),
  portalPage('trackerSettings', '/trackers/:id/settings', lazyScreen('tracker-settings/tracker-settings'), ['trackers', 'places']),
  {
    name: 'configSct2',
    path: '/config_sct2',
    layout: 'own',
    access: 'session',
    screen: lazyScreen('sct2/sct2'),
    words: ['trackers'],
  },
  needing('contacts', portalPage('contacts', '/contacts', lazyScreen('alerts/contacts'), ['places'])),
  needing('alerts', portalPage('alerts', '/alerts', lazyScreen('alerts/alerts'), ['places'])),
  needing('alerts', portalPage('alertNew', '/alerts/new', alertScreen, ['places'])),
  needing('firings', portalPage('alertsFired', '/alerts/fired', lazyScreen('alerts/fired/fired'), ['places'])),
  needing('alerts', portalPage('alert', '/alerts/:id', alertScreen, ['places'])),
  needing('networkActivation', barePage('networkActivate', '/network_activate', lazyScreen('network-activation/network'), ['trackers'])),
  needing(
    'subscriptions',
    portalPage('subscriptionSelector', '/subscriptionSelector', lazyScreen('billing/subscriptions/selector'), ['billing'], 'buy'),
  ),
  needing(
    'subscriptions',
    portalPage('subscription', '/subscription', lazyScreen('billing/subscriptions/subscription'), ['billing'], 'buy'),
  ),
  portalPage('linkSubscription', '/link_subscription', lazyScreen('billing/subscriptions/link'), ['billing'], 'buy'),
  portalPage('linkSubscriptionSuccess', '/link_subscription_success', lazyScreen('billing/subscriptions/linked'), ['billing'], 'buy'),
  needing('tags', portalPage('tags', '/tags', lazyScreen('tags/tags'), ['places'])),
  portalPage('map', '/map', lazyScreen('home/map/map')),
  needing('places', portalPage('places', '/places', lazyScreen('places/edit/places'), ['places'])),
  needing('places', portalPage('placeNew', '/places/new', lazyScreen('places/edit/place-new'), ['places'])),
  needing('placeImport', portalPage('placeImport', '/places/import', lazyScreen('places/import/place-import'), ['places'])),
  needing('places', portalPage('place', '/places/:id', lazyScreen('places/edit/place'), ['places'])),
  publicPage('pubTrackers', '/pub/trackers', () => import('#web/links/visitor/public-link-screen.tsx')),
  needing('links', portalPage('publicLinks', '/public_links', lazyScreen('links/list/public-links'), ['trackers'])),
  needing('links', barePage('appPublicLinks', '/app/public_links', lazyScreen('links/list/app-public-links'), ['trackers'])),
  publicPage('contactUs', '/contact_us', lazyScreen('contact/contact'), ['account']),
  eitherPage('legal', '/legal/:name', lazyScreen('legal/legal'), ['extras']),
  publicPage('startTrackApp', '/start_track_app', nativeScreen('startTrack'), ['account']),
  publicPage('startSdcApp', '/start_sdc_app', nativeScreen('startCollar'), ['account']),
  publicPage('installRestart', '/install_restart', nativeScreen('installRestart'), ['account']),
  publicPage('installQuit', '/install_quit', nativeScreen('installQuit'), ['account']),
  publicPage('main', '/main', nativeScreen('main'), ['account']),
  barePage('verifyAuth', '/verify_auth', lazyScreen('host-app/verify-auth'), ['account']),
  publicPage('deepLink', '/deep-link', nativeScreen('deepLink'), ['account']),
  publicPage('nativeFindmy', '/app/native/findmy', nativeScreen('findmy'), ['account']),
  publicPage('nativeRtb', '/app/native/rtb', nativeScreen('rtb'), ['account']),
  publicPage('appNeedsUpdate', '/app/native/*', needsUpdateScreen, ['account']),
  publicPage('appNeedsUpdate', '/exit', needsUpdateScreen, ['account']),
  barePage('appTheftFile', '/app/theft_file', lazyScreen('theft-file/theft-file'), ['account', 'trackers']),
  authPage('login', '/login', loginScreen),
  authPage('signup', '/signup', lazyScreen('sign-in/signup'), ['account', 'extras']),
  { name: 'accountEmail', path: '/account_email', layout: 'auth', access: 'session', screen: mailSentScreen, words: ['account'] },
  { name: 'accountEmailSent', path: '/account_email_sent', layout: 'auth', access: 'session', screen: mailSentScreen, words: ['account'] },
  authPage('accountConfirmation', '/account_confirmation', lazyScreen('confirmation/confirmation'), ['account']),
  authPage('accountEmailUpdateComplete', '/account_email_update_complete', lazyScreen('confirmation/changed'), ['account']),
  portalPage('account', '/account', accountScreen, ['account']),
  barePage('account', '/account/app', accountScreen, ['account']),
  portalPage('account', '/account/:pageVersion', accountScreen, ['account']),
  needing(
    ['secondFactor', 'sessionList', 'securityLog'],
    portalPage('accountSecurity', '/account/security', lazyScreen('account/security/security'), ['account']),
  ),
  portalPage('accountPreferences', '/account/preferences', lazyScreen('account/preferences'), ['account', 'places']),
  needing('passwordChange', portalPage('accountPassword', '/account/password', lazyScreen('account/password'), ['account'])),
  portalPage('accountDelete', '/account_delete', lazyScreen('account/delete'), ['account']),
  needing('orders', portalPage('orders', '/orders', lazyScreen('billing/orders/orders'), ['billing'], 'readOrders')),
  needing('orders', portalPage('order', '/orders/:reference', lazyScreen('billing/orders/order'), ['billing'], 'readOrders')),
  needing('invoices', portalPage('invoices', '/invoices', lazyScreen('billing/invoices/invoices'), ['billing'], 'readOrders')),
  needing(
    'paymentMethods',
    portalPage('paymentMethods', '/payment_methods', lazyScreen('billing/payment-methods/payment-methods'), ['billing'], 'buy'),
  ),
  portalPage('accountProfilUpdate', '/account_profil_update', lazyScreen('account/profile'), ['account']),
  needing('confirmations', portalPage('accountEmailUpdate', '/account_email_update', lazyScreen('account/email'), ['account'])),
  needing('team', portalPage('administrationUsers', '/administration/users', lazyScreen('team/users'), ['account'], 'manageTeam')),
  portalPage('operatorsHelium', '/operators/helium/', lazyScreen('network-activation/helium'), ['trackers']),
  { name: 'logout', path: '/logout', access: 'public', enter: signOut },
  publicPage('operator', '/operator/*', lazyScreen('operator/operator')),
  { ...publicPage('devUi', '/dev/ui', lazyScreen('design/design')), isForDevelopers: true },
  publicPage('error', '/error', () => import('./error-screen.tsx')),
  { name: 'notFound', path: '*', layout: 'either', access: 'public', screen: () => import('./not-found-screen.tsx') },
]

/** Ends the session here at once, and on the server if it can be reached and has the call. */
function signOut() {
  if (session.isOpen() && hasFeature('signOut')) sessionsApi.signOut({}, { staysOn401: true, staysOnNoAnswer: true }).catch(() => undefined)
  session.end()
  return '/login'
}

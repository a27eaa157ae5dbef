import type { Layout, Right, RouteName, RouteRow, ScreenRow } from '#web/lib/routing.ts'
import { session } from '#web/lib/session.ts'

const login = () => import('#web/features/login/login-screen.tsx')
const alert = () => import('#web/features/alerts/alert-screen.tsx')
const home = () => import('#web/features/home/home-screen.tsx')
const account = () => import('#web/features/account/account-screen.tsx')
const mailSent = () => import('#web/features/confirmation/sent-screen.tsx')
const needsUpdate = () => import('#web/features/native/needs-update-screen.tsx')

type Screen = ScreenRow['screen']
type Words = NonNullable<ScreenRow['words']>

const rowIn =
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

/** For the signed-in: beside the rail, or alone in an app's web view; for anybody: alone, or at the entrance. */
const page = rowIn('navigation', 'session')
const alone = rowIn('bare', 'session')
const shown = rowIn('bare', 'public')
const entrance = rowIn('auth', 'public')

/**
 * Specification §2 as a table. Router, guards, titles (`title.<name>`) and `lastVisitedRoute` derive from it. Rows that
 * share a `screen` keep it mounted from one to the other.
 */
export const routes: RouteRow[] = [
  page('index', '/', home),
  page('tracker', '/trackers/:id', home),
  page('trackers', '/trackers', () => import('#web/features/trackers/trackers-screen.tsx')),
  page('trackerAdd', '/trackers/add', () => import('#web/features/add-tracker/add-tracker-screen.tsx'), ['add']),
  page('conflicting', '/conflicting', () => import('#web/features/conflict/conflicting-screen.tsx'), ['add']),
  page('conflictingUnlink', '/conflicting-unlink', () => import('#web/features/conflict/unlink-screen.tsx'), ['add']),
  page('conflictingSecurity', '/conflicting-security', () => import('#web/features/conflict/security-screen.tsx'), ['add']),
  page('conflictingSerial', '/conflicting-serial', () => import('#web/features/conflict/serial-screen.tsx'), ['add']),
  page('conflictingFail', '/conflicting-fail', () => import('#web/features/conflict/fail-screen.tsx'), ['add']),
  page('trackerHistory', '/trackers/:id/history', () => import('#web/features/history/history-screen.tsx'), ['history']),
  page('trackerSettings', '/trackers/:id/settings', () => import('#web/features/tracker-settings/tracker-settings-screen.tsx'), [
    'settings',
  ]),
  {
    name: 'configSct2',
    path: '/config_sct2',
    layout: 'own',
    access: 'session',
    screen: () => import('#web/features/sct2/sct2-screen.tsx'),
    words: ['settings'],
  },
  page('contacts', '/contacts', () => import('#web/features/contacts/contacts-screen.tsx'), ['alerts']),
  page('alerts', '/alerts', () => import('#web/features/alerts/alerts-screen.tsx'), ['alerts']),
  page('alertNew', '/alerts/new', alert, ['alerts']),
  page('alert', '/alerts/:id', alert, ['alerts']),
  alone('networkActivate', '/network_activate', () => import('#web/features/network/network-screen.tsx'), ['settings']),
  page(
    'subscriptionSelector',
    '/subscriptionSelector',
    () => import('#web/features/subscriptions/selector-screen.tsx'),
    ['subscriptions'],
    'buy',
  ),
  page('subscription', '/subscription', () => import('#web/features/subscriptions/subscription-screen.tsx'), ['subscriptions'], 'buy'),
  page('linkSubscription', '/link_subscription', () => import('#web/features/subscriptions/link-screen.tsx'), ['subscriptions'], 'buy'),
  page(
    'linkSubscriptionSuccess',
    '/link_subscription_success',
    () => import('#web/features/subscriptions/linked-screen.tsx'),
    ['subscriptions'],
    'buy',
  ),
  page('tags', '/tags', () => import('#web/features/tags/tags-screen.tsx'), ['tags']),
  page('map', '/map', () => import('#web/features/home/map-screen.tsx')),
  page('places', '/places', () => import('#web/features/places/places-screen.tsx'), ['places']),
  page('placeNew', '/places/new', () => import('#web/features/places/place-new-screen.tsx'), ['places']),
  page('placeImport', '/places/import', () => import('#web/features/places/place-import-screen.tsx'), ['places']),
  page('place', '/places/:id', () => import('#web/features/places/place-screen.tsx'), ['places']),
  shown('pubTrackers', '/pub/trackers', () => import('#web/features/public-link/public-link-screen.tsx')),
  page('publicLinks', '/public_links', () => import('#web/features/public-links/public-links-screen.tsx'), ['links']),
  alone('appPublicLinks', '/app/public_links', () => import('#web/features/public-links/app-public-links-screen.tsx'), ['links']),
  shown('contactUs', '/contact_us', () => import('#web/features/contact/contact-screen.tsx'), ['app']),
  shown('startTrackApp', '/start_track_app', () => import('#web/features/app/start-track-screen.tsx'), ['app']),
  shown('startSdcApp', '/start_sdc_app', () => import('#web/features/app/start-collar-screen.tsx'), ['app']),
  shown('installRestart', '/install_restart', () => import('#web/features/app/install-restart-screen.tsx'), ['app']),
  shown('installQuit', '/install_quit', () => import('#web/features/app/install-quit-screen.tsx'), ['app']),
  shown('main', '/main', () => import('#web/features/app/main-screen.tsx'), ['app']),
  alone('verifyAuth', '/verify_auth', () => import('#web/features/app/verify-auth-screen.tsx'), ['app']),
  shown('deepLink', '/deep-link', () => import('#web/features/native/deep-link-screen.tsx'), ['app']),
  shown('nativeFindmy', '/app/native/findmy', () => import('#web/features/native/findmy-screen.tsx'), ['app']),
  shown('nativeRtb', '/app/native/rtb', () => import('#web/features/native/rtb-screen.tsx'), ['app']),
  shown('appNeedsUpdate', '/app/native/*', needsUpdate, ['app']),
  shown('appNeedsUpdate', '/exit', needsUpdate, ['app']),
  alone('appTheftFile', '/app/theft_file', () => import('#web/features/theft-file/theft-file-screen.tsx'), ['app', 'theft']),
  entrance('login', '/login', login),
  entrance('signup', '/signup', () => import('#web/features/signup/signup-screen.tsx'), ['account']),
  { name: 'accountEmail', path: '/account_email', layout: 'auth', access: 'session', screen: mailSent, words: ['account'] },
  { name: 'accountEmailSent', path: '/account_email_sent', layout: 'auth', access: 'session', screen: mailSent, words: ['account'] },
  entrance('accountConfirmation', '/account_confirmation', () => import('#web/features/confirmation/confirmation-screen.tsx'), ['account']),
  entrance('accountEmailUpdateComplete', '/account_email_update_complete', () => import('#web/features/confirmation/changed-screen.tsx'), [
    'account',
  ]),
  page('account', '/account', account, ['account']),
  alone('account', '/account/app', account, ['account']),
  page('account', '/account/:pageVersion', account, ['account']),
  page('accountDelete', '/account_delete', () => import('#web/features/account/delete-screen.tsx'), ['account']),
  page('orders', '/orders', () => import('#web/features/orders/orders-screen.tsx'), ['purchases'], 'readOrders'),
  page('order', '/orders/:reference', () => import('#web/features/orders/order-screen.tsx'), ['purchases'], 'readOrders'),
  page('invoices', '/invoices', () => import('#web/features/invoices/invoices-screen.tsx'), ['purchases'], 'readOrders'),
  page(
    'paymentMethods',
    '/payment_methods',
    () => import('#web/features/payment-methods/payment-methods-screen.tsx'),
    ['purchases'],
    'buy',
  ),
  page('accountProfilUpdate', '/account_profil_update', () => import('#web/features/account/profile-screen.tsx'), ['account']),
  page('accountEmailUpdate', '/account_email_update', () => import('#web/features/account/email-screen.tsx'), ['account']),
  page('administrationUsers', '/administration/users', () => import('#web/features/team/users-screen.tsx'), ['team'], 'manageTeam'),
  page('operatorsHelium', '/operators/helium/', () => import('#web/features/helium/helium-screen.tsx'), ['helium']),
  { name: 'logout', path: '/logout', access: 'public', enter: signOut },
  shown('error', '/error', () => import('#web/features/error/error-screen.tsx')),
  { name: 'notFound', path: '*', layout: 'either', access: 'public', screen: () => import('#web/features/not-found/not-found-screen.tsx') },
]

/** /logout ends the session on entering and shows the login page under its own address (C-05). */
function signOut() {
  session.end()
  return '/login'
}

import type { Layout, Right, RouteName, RouteRow, ScreenRow } from '#web/lib/navigation/routing.ts'
import { session } from '#web/lib/session.ts'

/** The map of file names to all screens is large; signing in and the home map don't wait for it. */
const at = (screen: string) => async () => (await import('./screens.ts')).load(screen)

const login = () => import('#web/sign-in/login-screen.tsx')
const alert = at('alerts/alert')
const home = () => import('#web/home/home-screen.tsx')
const account = at('account/account')
const mailSent = at('confirmation/sent')
const needsUpdate = at('host-app/needs-update')

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

/** Layouts of signed-in screens (beside the rail, or alone in an app's web view) and of public ones (bare, or the login frame). */
const page = rowIn('navigation', 'session')
const alone = rowIn('bare', 'session')
const shown = rowIn('bare', 'public')
const entrance = rowIn('auth', 'public')

/**
 * All routes. Router, guards, titles (`title.<name>`) and `lastVisitedRoute` derive from this table. Rows with the same `screen` keep it
 * mounted when the route changes from one to the other.
 */
export const routes: RouteRow[] = [
  page('index', '/', home),
  page('tracker', '/trackers/:id', home),
  page('trackers', '/trackers', at('tracker-list/trackers')),
  page('trackerAdd', '/trackers/add', at('add-tracker/add-tracker'), ['add']),
  page('conflicting', '/conflicting', at('conflict/conflicting'), ['add']),
  page('conflictingUnlink', '/conflicting-unlink', at('conflict/unlink'), ['add']),
  page('conflictingSecurity', '/conflicting-security', at('conflict/security'), ['add']),
  page('conflictingSerial', '/conflicting-serial', at('conflict/serial'), ['add']),
  page('conflictingFail', '/conflicting-fail', at('conflict/fail'), ['add']),
  page('trackerHistory', '/trackers/:id/history', at('history/history'), ['history']),
  page('trackerSettings', '/trackers/:id/settings', at('tracker-settings/tracker-settings'), ['settings']),
  {
    name: 'configSct2',
    path: '/config_sct2',
    layout: 'own',
    access: 'session',
    screen: at('sct2/sct2'),
    words: ['settings'],
  },
  page('contacts', '/contacts', at('alerts/contacts'), ['alerts']),
  page('alerts', '/alerts', at('alerts/alerts'), ['alerts']),
  page('alertNew', '/alerts/new', alert, ['alerts']),
  page('alert', '/alerts/:id', alert, ['alerts']),
  alone('networkActivate', '/network_activate', at('network/network'), ['settings']),
  page('subscriptionSelector', '/subscriptionSelector', at('billing/subscriptions/selector'), ['subscriptions'], 'buy'),
  page('subscription', '/subscription', at('billing/subscriptions/subscription'), ['subscriptions'], 'buy'),
  page('linkSubscription', '/link_subscription', at('billing/subscriptions/link'), ['subscriptions'], 'buy'),
  page('linkSubscriptionSuccess', '/link_subscription_success', at('billing/subscriptions/linked'), ['subscriptions'], 'buy'),
  page('tags', '/tags', at('tags/tags'), ['tags']),
  page('map', '/map', at('home/map/map')),
  page('places', '/places', at('places/edit/places'), ['places']),
  page('placeNew', '/places/new', at('places/edit/place-new'), ['places']),
  page('placeImport', '/places/import', at('places/import/place-import'), ['places']),
  page('place', '/places/:id', at('places/edit/place'), ['places']),
  shown('pubTrackers', '/pub/trackers', () => import('#web/links/visitor/public-link-screen.tsx')),
  page('publicLinks', '/public_links', at('links/public-links'), ['links']),
  alone('appPublicLinks', '/app/public_links', at('links/app-public-links'), ['links']),
  shown('contactUs', '/contact_us', at('contact/contact'), ['app']),
  shown('startTrackApp', '/start_track_app', at('host-app/start-track'), ['app']),
  shown('startSdcApp', '/start_sdc_app', at('host-app/start-collar'), ['app']),
  shown('installRestart', '/install_restart', at('host-app/install-restart'), ['app']),
  shown('installQuit', '/install_quit', at('host-app/install-quit'), ['app']),
  shown('main', '/main', at('host-app/main'), ['app']),
  alone('verifyAuth', '/verify_auth', at('host-app/verify-auth'), ['app']),
  shown('deepLink', '/deep-link', at('host-app/deep-link'), ['app']),
  shown('nativeFindmy', '/app/native/findmy', at('host-app/findmy'), ['app']),
  shown('nativeRtb', '/app/native/rtb', at('host-app/rtb'), ['app']),
  shown('appNeedsUpdate', '/app/native/*', needsUpdate, ['app']),
  shown('appNeedsUpdate', '/exit', needsUpdate, ['app']),
  alone('appTheftFile', '/app/theft_file', at('theft-file/theft-file'), ['app', 'theft']),
  entrance('login', '/login', login),
  entrance('signup', '/signup', at('sign-in/signup'), ['account']),
  { name: 'accountEmail', path: '/account_email', layout: 'auth', access: 'session', screen: mailSent, words: ['account'] },
  { name: 'accountEmailSent', path: '/account_email_sent', layout: 'auth', access: 'session', screen: mailSent, words: ['account'] },
  entrance('accountConfirmation', '/account_confirmation', at('confirmation/confirmation'), ['account']),
  entrance('accountEmailUpdateComplete', '/account_email_update_complete', at('confirmation/changed'), ['account']),
  page('account', '/account', account, ['account']),
  alone('account', '/account/app', account, ['account']),
  page('account', '/account/:pageVersion', account, ['account']),
  page('accountDelete', '/account_delete', at('account/delete'), ['account']),
  page('orders', '/orders', at('billing/orders/orders'), ['purchases'], 'readOrders'),
  page('order', '/orders/:reference', at('billing/orders/order'), ['purchases'], 'readOrders'),
  page('invoices', '/invoices', at('billing/invoices/invoices'), ['purchases'], 'readOrders'),
  page('paymentMethods', '/payment_methods', at('billing/payment-methods/payment-methods'), ['purchases'], 'buy'),
  page('accountProfilUpdate', '/account_profil_update', at('account/profile'), ['account']),
  page('accountEmailUpdate', '/account_email_update', at('account/email'), ['account']),
  page('administrationUsers', '/administration/users', at('team/users'), ['team'], 'manageTeam'),
  page('operatorsHelium', '/operators/helium/', at('network/helium'), ['helium']),
  { name: 'logout', path: '/logout', access: 'public', enter: signOut },
  shown('error', '/error', () => import('./error-screen.tsx')),
  { name: 'notFound', path: '*', layout: 'either', access: 'public', screen: () => import('./not-found-screen.tsx') },
]

/** /logout ends the session on entering and then shows the login page. */
function signOut() {
  session.end()
  return '/login'
}

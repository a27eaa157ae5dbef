import type { RouteRow } from '#web/lib/routing.ts'
import { session } from '#web/lib/session.ts'

const login = () => import('#web/features/login/login-screen.tsx')
const home = () => import('#web/features/home/home-screen.tsx')
const account = () => import('#web/features/account/account-screen.tsx')
const mailSent = () => import('#web/features/confirmation/sent-screen.tsx')

/**
 * Specification §2 as a table. Router, guards, titles (`title.<name>`) and `lastVisitedRoute` derive from it. Rows that
 * share a `screen` keep it mounted from one to the other.
 */
export const routes: RouteRow[] = [
  { name: 'index', path: '/', layout: 'navigation', access: 'session', screen: home },
  { name: 'tracker', path: '/trackers/:id', layout: 'navigation', access: 'session', screen: home },
  {
    name: 'trackers',
    path: '/trackers',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/trackers/trackers-screen.tsx'),
  },
  {
    name: 'trackerAdd',
    path: '/trackers/add',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/add-tracker/add-tracker-screen.tsx'),
    words: ['add'],
  },
  {
    name: 'trackerHistory',
    path: '/trackers/:id/history',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/history/history-screen.tsx'),
    words: ['history'],
  },
  {
    name: 'trackerSettings',
    path: '/trackers/:id/settings',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/tracker-settings/tracker-settings-screen.tsx'),
    words: ['settings'],
  },
  {
    name: 'configSct2',
    path: '/config_sct2',
    layout: 'own',
    access: 'session',
    screen: () => import('#web/features/sct2/sct2-screen.tsx'),
    words: ['settings'],
  },
  {
    name: 'contacts',
    path: '/contacts',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/contacts/contacts-screen.tsx'),
    words: ['alerts'],
  },
  { name: 'map', path: '/map', layout: 'navigation', access: 'session', screen: () => import('#web/features/home/map-screen.tsx') },
  {
    name: 'places',
    path: '/places',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/places/places-screen.tsx'),
    words: ['places'],
  },
  {
    name: 'pubTrackers',
    path: '/pub/trackers',
    layout: 'bare',
    access: 'public',
    screen: () => import('#web/features/public-link/public-link-screen.tsx'),
  },
  {
    name: 'publicLinks',
    path: '/public_links',
    layout: 'navigation',
    access: 'session',
    screen: () => import('#web/features/public-links/public-links-screen.tsx'),
    words: ['links'],
  },
  {
    name: 'appPublicLinks',
    path: '/app/public_links',
    layout: 'bare',
    access: 'session',
    screen: () => import('#web/features/public-links/app-public-links-screen.tsx'),
    words: ['links'],
  },
  { name: 'login', path: '/login', layout: 'auth', access: 'public', screen: login },
  {
    name: 'signup',
    path: '/signup',
    layout: 'auth',
    access: 'public',
    screen: () => import('#web/features/signup/signup-screen.tsx'),
    words: ['account'],
  },
  { name: 'accountEmail', path: '/account_email', layout: 'auth', access: 'session', screen: mailSent, words: ['account'] },
  { name: 'accountEmailSent', path: '/account_email_sent', layout: 'auth', access: 'session', screen: mailSent, words: ['account'] },
  {
    name: 'accountConfirmation',
    path: '/account_confirmation',
    layout: 'auth',
    access: 'public',
    screen: () => import('#web/features/confirmation/confirmation-screen.tsx'),
    words: ['account'],
  },
  {
    name: 'accountEmailUpdateComplete',
    path: '/account_email_update_complete',
    layout: 'auth',
    access: 'public',
    screen: () => import('#web/features/confirmation/changed-screen.tsx'),
    words: ['account'],
  },
  { name: 'account', path: '/account', layout: 'navigation', access: 'session', screen: account, words: ['account'] },
  { name: 'account', path: '/account/app', layout: 'bare', access: 'session', screen: account, words: ['account'] },
  { name: 'account', path: '/account/:pageVersion', layout: 'navigation', access: 'session', screen: account, words: ['account'] },
  { name: 'logout', path: '/logout', access: 'public', enter: signOut },
  { name: 'error', path: '/error', layout: 'bare', access: 'public', screen: () => import('#web/features/error/error-screen.tsx') },
  { name: 'notFound', path: '*', layout: 'either', access: 'public', screen: () => import('#web/features/not-found/not-found-screen.tsx') },
]

/** /logout ends the session on entering and shows the login page under its own address (C-05). */
function signOut() {
  session.end()
  return '/login'
}

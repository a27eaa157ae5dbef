import type { ReactElement } from 'react'
import { createBrowserRouter, matchPath, type RouteObject, RouterProvider, redirect } from 'react-router-dom'
import { checkBuild } from '#web/app/update/update.ts'
import { followServerClock, setClientPorts } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { fetchStarted } from '#web/lib/api/started.ts'
import { ConfigError, config, loadConfig, setConfig } from '#web/lib/config.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { log } from '#web/lib/log.ts'
import { followPages } from '#web/lib/navigation/dialog-history.ts'
import { applyHostAppParameters } from '#web/lib/navigation/host-app.ts'
import { createLeaveHandler, loginPath } from '#web/lib/navigation/navigation.ts'
import type { Layout, RouteRow, ScreenRow } from '#web/lib/navigation/routing.ts'
import { listUnknownFeatures } from '#web/lib/other-backends/features.ts'
import { session, takeUrlToken } from '#web/lib/session.ts'
import { storage } from '#web/lib/storage.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'
import { ConfigProblem } from './config-problem.tsx'
import { Frame, GatedScreen, loadFiles, preloadScreen, Root } from './frame.tsx'
import { routes } from './routes.tsx'

/** A redirect during a render makes React render again; that is not an error. */
export const rootOptions = {
  onRecoverableError(error: unknown) {
    const isLeaving = error instanceof Error && error.cause instanceof ApiError && error.cause.isLeaving
    if (!isLeaving) log.failure('React recovered from an error by rendering again', error)
  },
}

/** Returns the portal at the browser's current address. Tests pass a different `fetch`. */
export async function startApp(fetch: typeof globalThis.fetch = fetchStarted): Promise<ReactElement> {
  const offered = cleanAddress()
  const first = findScreen(routes, location.pathname)
  if (first) loadFiles(first)
  // The first screen requests a day before any API response has set the clock.
  const configured = loadConfig(followServerClock(fetch)).then(setConfig, asConfigError)
  await startLanguage()
  const problem = await configured
  const unknown = listUnknownFeatures()
  if (unknown.length > 0) log.failure('config.json lists unknown features', unknown)
  if (first && !problem) await preloadScreen(first)
  const open = () => <RouterProvider router={openRouter(fetch)} />
  const shown = problem ? (
    <ConfigProblem faults={problem.faults} />
  ) : offered ? (
    await (await import('#web/sign-in/offered-session.tsx')).settleSession(offered, fetch, open)
  ) : (
    open()
  )
  return <ThemeProvider>{shown}</ThemeProvider>
}

/**
 * The session token and the host app's parameters must leave the address before the first guard and the first request. Returns the token
 * when another session is open.
 */
function cleanAddress() {
  const url = new URL(location.href)
  const { url: clean, offered } = takeUrlToken(url)
  const bare = applyHostAppParameters(clean)
  if (bare.href !== url.href) history.replaceState(history.state, '', bare)
  return offered
}

function asConfigError(error: unknown) {
  if (error instanceof ConfigError) return error
  throw error
}

function openRouter(fetch: typeof globalThis.fetch) {
  const router = createRouter(routes)
  setClientPorts({
    fetch,
    base: new URL(config().apiBaseUrl, location.origin).href,
    auth: config().auth,
    names: config().names,
    reportUrl: config().reportUrl,
    onLeave: createLeaveHandler(
      () => router.state.location,
      (path, options) => void router.navigate(path, options),
    ),
  })
  // Tab sync is not needed for the first paint, so it is loaded lazily.
  import('#web/lib/navigation/tabs.ts').then(
    ({ followTabs }) => followTabs(router),
    () => undefined,
  )
  router.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') void checkBuild(fetch)
  })
  window.addEventListener('chunklost', () => void checkBuild(fetch, true))
  return router
}

const LAYOUTS = ['navigation', 'auth', 'bare', 'own', 'either'] as const satisfies Layout[]

/** Builds the router. Rows of one layout share a parent route, so the layout stays mounted from one screen to the next. */
export function createRouter(rows: RouteRow[]) {
  const notFound = rows.find(({ name }) => name === 'notFound') as ScreenRow
  const framed = LAYOUTS.map((layout) => ({
    element: <Frame layout={layout} />,
    children: rows.filter((row) => 'screen' in row && row.layout === layout).map((row) => screenRoute(row, notFound)),
  }))
  const passages = rows
    .filter((row) => 'enter' in row)
    .map((row) => ({ id: row.path, path: row.path, element: null, loader: () => enterLater(row.enter) }))
  const router = createBrowserRouter([{ element: <Root />, hydrateFallbackElement: <></>, children: [...framed, ...passages] }])
  trackNavigation(router)
  return router
}

/** The router processes its first address before the client is set up. */
const enterLater = (enter: () => string) => Promise.resolve().then(() => redirect(enter()))

/** After each navigation, including the first: saves the route's name, and scrolls and focuses the start of the page. */
function trackNavigation(router: ReturnType<typeof createBrowserRouter>) {
  let shown: RouteRow | undefined
  const arrive = ({ matches, navigation, initialized }: typeof router.state) => {
    if (!initialized || navigation.state !== 'idle') return
    followPages()
    const row: RouteRow | undefined = matches.at(-1)?.route.handle
    storage.set('lastVisitedRoute', row?.name ?? 'notFound')
    if (shown && getScreen(row) !== getScreen(shown)) focusContent()
    shown = row
  }
  arrive(router.state)
  router.subscribe(arrive)
}

const getScreen = (row: RouteRow | undefined) => row && 'screen' in row && row.screen

/** Moves the focus, so that the keyboard and screen readers continue from the new content. */
const focusContent = () => document.getElementById('content')?.focus({ preventScroll: true })

const screenRoute = (row: RouteRow, notFound: ScreenRow): RouteObject => ({
  id: row.path,
  path: row.path,
  handle: row,
  element: <GatedScreen row={row as ScreenRow} otherwise={notFound} />,
  ...(row.access === 'session' && { loader: requireSession }),
})

/** Redirects to the login page without a session; the login page leads back here. */
const requireSession = ({ request }: { request: Request }) => {
  const { pathname, search } = new URL(request.url)
  return session.isOpen() ? null : redirect(loginPath(pathname + search))
}

/** The screen that the portal opens with at `pathname`. */
function findScreen(rows: RouteRow[], pathname: string) {
  const row = rows.find(({ path }) => matchPath(path, pathname))
  const shown = row && (row.access === 'public' || session.isOpen()) ? row : rows.find(({ name }) => name === 'login')
  return shown && 'screen' in shown ? shown : undefined
}

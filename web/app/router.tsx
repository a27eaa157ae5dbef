import { createBrowserRouter, matchPath, type RouteObject, redirect } from 'react-router-dom'
import { loginPath } from '#web/lib/navigation/navigation.ts'
import type { Layout, RouteRow, ScreenRow } from '#web/lib/navigation/routing.ts'
import { session } from '#web/lib/session.ts'
import { storage } from '#web/lib/storage.ts'
import { Frame, GatedScreen, preloadLayout, Root } from './frame.tsx'

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
    .map((row) => ({ id: row.path, path: row.path, element: null, loader: () => redirect(row.enter()) }))
  const router = createBrowserRouter([{ element: <Root />, hydrateFallbackElement: <></>, children: [...framed, ...passages] }])
  trackNavigation(router)
  return router
}

/** After each navigation, including the first: saves the route's name, and scrolls and focuses the start of the page. */
function trackNavigation(router: ReturnType<typeof createBrowserRouter>) {
  let shown: RouteRow | undefined
  const arrive = ({ matches, navigation, initialized }: typeof router.state) => {
    if (!initialized || navigation.state !== 'idle') return
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

/** Starts loading the screen of `pathname` while translations and configuration are still loading. */
export function preloadScreen(rows: RouteRow[], pathname: string) {
  const row = rows.find(({ path }) => matchPath(path, pathname))
  const shown = row && (row.access === 'public' || session.isOpen()) ? row : rows.find(({ name }) => name === 'login')
  if (!shown || !('screen' in shown)) return
  preloadLayout(shown.layout)
  shown.screen().catch(() => undefined)
}

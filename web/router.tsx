import { createBrowserRouter, matchPath, type RouteObject, redirect } from 'react-router-dom'
import { Frame, preloadLayout, Root, Screen } from './frame.tsx'
import { loginPath } from './lib/navigation.ts'
import type { Layout, RouteRow, ScreenRow } from './lib/routing.ts'
import { session } from './lib/session.ts'
import { storage } from './lib/storage.ts'

const LAYOUTS = ['navigation', 'auth', 'bare', 'either'] as const satisfies Layout[]

/** The router of the table: rows of one layout stand below it, so that it stays from one screen to the next. */
export function createRouter(rows: RouteRow[]) {
  const framed = LAYOUTS.map((layout) => ({
    element: <Frame layout={layout} />,
    children: rows.filter((row) => 'screen' in row && row.layout === layout).map(screenRoute),
  }))
  const passages = rows
    .filter((row) => 'enter' in row)
    .map((row) => ({ id: row.name, path: row.path, loader: () => redirect(row.enter()) }))
  const router = createBrowserRouter([{ element: <Root />, children: [...framed, ...passages] }])
  let shown = router.state.matches.at(-1)?.route
  router.subscribe(({ matches, navigation }) => {
    const route = matches.at(-1)?.route
    if (navigation.state !== 'idle') return
    storage.set('lastVisitedRoute', route?.id ?? 'notFound')
    if (screenIn(route?.handle) !== screenIn(shown?.handle)) focusContent()
    shown = route
  })
  return router
}

const screenIn = (row: RouteRow | undefined) => row && 'screen' in row && row.screen

/** Another screen begins at its beginning, for the keyboard and for screen readers. */
const focusContent = () => document.getElementById('content')?.focus({ preventScroll: true })

const screenRoute = (row: RouteRow): RouteObject => ({
  id: row.name,
  path: row.path,
  handle: row,
  element: <Screen row={row as ScreenRow} />,
  ...(row.access === 'session' && { loader: guard }),
})

/** No session: the login page, which leads back here afterwards. */
const guard = ({ request }: { request: Request }) => {
  const { pathname, search } = new URL(request.url)
  return session.isOpen() ? null : redirect(loginPath(pathname + search))
}

/** Starts loading what the address will show, while words and configuration are still on their way. */
export function preload(rows: RouteRow[], pathname: string) {
  const row = rows.find(({ path }) => matchPath(path, pathname))
  const shown = row && (row.access === 'public' || session.isOpen()) ? row : rows.find(({ name }) => name === 'login')
  if (!shown || !('screen' in shown)) return
  preloadLayout(shown.layout)
  shown.screen().catch(() => undefined)
}

import type { ReactElement } from 'react'
import { RouterProvider } from 'react-router-dom'
import { checkBuild } from '#web/app/update/update.ts'
import { setClientPorts } from '#web/lib/api/client-ports.ts'
import { ConfigError, config, loadConfig, setConfig } from '#web/lib/config.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { applyHostAppParameters } from '#web/lib/navigation/host-app.ts'
import { createLeaveHandler } from '#web/lib/navigation/navigation.ts'
import { applyUrlToken } from '#web/lib/session.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'
import { ConfigProblem } from './config-problem.tsx'
import { createRouter, preloadScreen } from './router.tsx'
import { routes } from './routes.tsx'

/** Returns the portal at the browser's current address. Tests pass their own `fetch`. */
export async function startApp(fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request)): Promise<ReactElement> {
  cleanAddress()
  preloadScreen(routes, location.pathname)
  const configured = loadConfig(fetch).then(setConfig, asConfigError)
  await startLanguage()
  const problem = await configured
  return (
    <ThemeProvider>{problem ? <ConfigProblem faults={problem.faults} /> : <RouterProvider router={openRouter(fetch)} />}</ThemeProvider>
  )
}

/** The session token and the host app's parameters must leave the address before the first guard and the first request. */
function cleanAddress() {
  const url = new URL(location.href)
  const clean = applyHostAppParameters(applyUrlToken(url))
  if (clean.href !== url.href) history.replaceState(history.state, '', clean)
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
  window.addEventListener('vite:preloadError', () => void checkBuild(fetch, true))
  return router
}

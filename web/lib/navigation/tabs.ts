import type { createBrowserRouter } from 'react-router-dom'
import { safeNextPath } from '#contracts/rules/navigation.ts'
import { session } from '#web/lib/session.ts'
import { loginPath } from './navigation.ts'
import type { RouteRow } from './routing.ts'

type Router = ReturnType<typeof createBrowserRouter>
let router: Router | null = null

export const followTabs = (shown: Router) => {
  router = shown
  addEventListener('storage', handleStorageEvent)
}

/** A removed token leads to the login page, a new one leads back from it. One token replacing another is a renewal for the same user. */
function handleStorageEvent({ key, oldValue, newValue }: StorageEvent) {
  if (!router || (key !== null && key !== 'token')) return
  // A background tab that does not render may not have reached the login page yet when the new token arrives.
  const { pathname, search, state } = router.state.navigation.location ?? router.state.location
  if (newValue === null) {
    session.forget()
    if (requiresSession(router)) void router.navigate(loginPath(pathname + search), { state: { hasEnded: true } })
  } else if (oldValue === null && state?.hasEnded === true) {
    session.follow()
    void router.navigate(safeNextPath(new URLSearchParams(search).get('next')) ?? '/', { replace: true })
  }
}

const requiresSession = ({ state }: Router) => {
  const row: RouteRow | undefined = state.matches.at(-1)?.route.handle
  return row && 'screen' in row && (row.access === 'session' || row.layout === 'either')
}

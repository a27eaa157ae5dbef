import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { rootOptions, startApp } from '#web/app/app.tsx'
import { queryClient } from '#web/lib/api/query.ts'
import type { Config } from '#web/lib/config.ts'
import { palette } from '#web/lib/navigation/commands.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { dismissToasts } from '#web/lib/toasts.ts'
import { CONFIG } from './sample-config.ts'

/** The part of `startPortal()` (server/test/start-portal.ts) that is used here. */
type Server = { fetch: typeof fetch; token: (email: string) => Promise<string> | string }

type Options = {
  /** The real server in process; without it every request except /config.json gets a 404. */
  portal?: Server
  as?: string
  /** A token to use as is, if the user does not matter. */
  token?: string
  config?: { [field in keyof Config]?: Config[field] | undefined }
  languages?: string[]
}

/** Opens the real portal at an address, with the real server in process. */
export async function renderAt(path: string, { portal, as, token, config = {}, languages = ['en'] }: Options = {}) {
  queryClient.clear()
  dismissToasts(() => true)
  // A late response of the previous test may have marked a feature as missing.
  tabStorage.remove('missingFeatures')
  palette.show(false)
  Object.defineProperty(navigator, 'languages', { value: languages, configurable: true })
  const known = token ?? (as && (await portal?.token(as)))
  if (known) storage.set('token', known)
  window.history.replaceState(null, '', path)
  const calls: { method: string; path: string; headers: Headers }[] = []
  const container = document.body.appendChild(document.createElement('div'))
  const view = render(
    await startApp(async (input, { signal, ...init } = {}) => {
      signal?.throwIfAborted()
      if (!container.isConnected) return NEVER
      const url = new URL(String(input), window.location.origin)
      if (url.pathname === '/config.json') return Response.json({ ...CONFIG, ...config })
      calls.push({ method: init.method ?? 'GET', path: url.pathname + url.search, headers: new Headers(init.headers) })
      const answer = portal ? portal.fetch(url.pathname + url.search, init) : Promise.resolve(new Response('', { status: 404 }))
      const kept = answer.finally(() => (container.isConnected ? undefined : NEVER))
      return signal ? Promise.race([kept, aborted(signal)]) : kept
    }),
    { ...rootOptions, container },
  )
  return { ...view, screen, user: userEvent.setup(), calls }
}

/** The response to requests of a finished test: a real one could still redirect the next test's page. */
const NEVER = new Promise<never>(() => {})

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })

/**
 * The service worker, so that the portal opens offline. Built separately (scripts/build/worker.ts), which prepends the two lists below, so
 * it imports nothing. It caches hashed build files, the page and the configuration, but never an API response.
 */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
type WorkerFetchEvent = WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }
type PushNews = WorkerEvent & { data: { json(): { title: string; body: string; url: string } } | null }
type NotificationClick = WorkerEvent & { notification: { data: string; close(): void } }
type Page = { url: string; focus(): Promise<Page>; navigate(url: string): Promise<unknown> }
type LanguageMessage = MessageEvent<{ language: string }> & WorkerEvent

declare const BUILD: string
declare const FILES: string[]
declare const WORDS: Record<string, string[]>

const worker = self as unknown as {
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(kind: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: { showNotification(title: string, options: object): Promise<void> }
  addEventListener<E extends Event>(type: string, listen: (event: E) => void): void
}

/** Paths the server handles itself; navigations to them never get the cached page. */
const NOT_A_PAGE =
  /^\/(devices|users|tracker_\w+|api|api-auth|options|ingest|mock|stripe|docs|operator\/api|healthz|readyz|metrics|mail|photos|\.well-known)([/?]|$)/
/** When the server takes longer than this, the cached page is shown. */
const TIMEOUT_MS = 300
/** Timeout after a reload by the user, who may want the newest build. */
const RELOAD_TIMEOUT_MS = 6000

/** Number of files fetched at once while installing, so that the page gets most of a slow connection. */
const AT_ONCE = 3

const openCache = () => caches.open(`build-${BUILD}`)

/** Preserves the previous build's cache: one of its pages may still be open. */
const deleteOldCaches = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('build-'))
  await Promise.all(names.slice(0, -2).map((name) => caches.delete(name)))
}

const wait = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))

/** Prefers this build, because the previous one has a page too. */
async function matchCache(key: RequestInfo): Promise<Response> {
  const own = await caches.match(key, { ignoreVary: true, cacheName: `build-${BUILD}` })
  const answer = own ?? (await caches.match(key, { ignoreVary: true }))
  if (!answer) throw new Error('Not in the cache')
  return answer
}

/** Cache first: file names are hashed, so a cached file is never stale. */
const fileFirst = (request: Request) =>
  matchCache(request).catch(async () => {
    const answer = await fetch(request)
    if (answer.ok) await (await openCache()).put(request, answer.clone())
    return answer
  })

/** Network first; the cache is used when the server does not respond in time. Without anything in the cache there is no time limit. */
const serverFirst = async (request: Request, key: string) => {
  const fetched = fetch(request).then(async (answer) => {
    if (answer.ok && key !== '/') await (await openCache()).put(key, answer.clone())
    return answer
  })
  const isReload = request.cache === 'reload' || (request.mode === 'navigate' && request.cache === 'no-cache')
  const answer = await Promise.race([fetched.catch(() => undefined), wait(isReload ? RELOAD_TIMEOUT_MS : TIMEOUT_MS)])
  return answer ?? matchCache(key).then(withoutTime, () => fetched)
}

/** The portal's clock follows the time of a response, which is outdated when it comes from the cache. */
function withoutTime({ body, status, headers }: Response) {
  const kept = new Headers(headers)
  kept.delete('date')
  return new Response(body, { status, headers: kept })
}

worker.addEventListener<WorkerEvent>('install', (event) => {
  const keep = async () => {
    const cache = await openCache()
    await cache.addAll([new Request('/', { cache: 'reload' })])
    for (let next = 0; next < FILES.length; next += AT_ONCE) await cache.addAll(FILES.slice(next, next + AT_ONCE))
    await worker.skipWaiting()
  }
  event.waitUntil(keep())
})

worker.addEventListener<WorkerEvent>('activate', (event) => event.waitUntil(deleteOldCaches().then(() => worker.clients.claim())))

worker.addEventListener<LanguageMessage>('message', (event) => {
  event.waitUntil(openCache().then((cache) => cache.addAll(['/config.json', ...(WORDS[event.data.language] ?? [])])))
})

worker.addEventListener<PushNews>('push', (event) => {
  if (!event.data) return
  const { title, body, url } = event.data.json()
  // Notifications about one tracker replace older ones.
  const options = { body, tag: url, renotify: true, icon: '/icons/192.png', data: url }
  event.waitUntil(worker.registration.showNotification(title, options))
})

worker.addEventListener<NotificationClick>('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  const open = async () => {
    const [page] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: false })
    if (!page) return worker.clients.openWindow(notification.data)
    return (await page.focus()).navigate(notification.data)
  }
  event.waitUntil(open())
})

worker.addEventListener<WorkerFetchEvent>('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!NOT_A_PAGE.test(pathname)) event.respondWith(serverFirst(request, '/'))
  } else if (pathname.startsWith('/assets/')) event.respondWith(fileFirst(request))
  else if (pathname === '/config.json' && search === '') event.respondWith(serverFirst(request, '/config.json'))
})

export {}

/**
 * The service worker, so that the portal opens offline. Built separately (scripts/build/worker.ts), which prepends the two lists below, so
 * it imports nothing. It caches hashed build files, the page and the configuration, but never an API response.
 */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
type WorkerFetchEvent = WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }
type LanguageMessage = MessageEvent<{ language: string }> & WorkerEvent

declare const BUILD: string
declare const FILES: string[]
declare const WORDS: Record<string, string[]>

const worker = self as unknown as {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener<E extends Event>(type: string, listen: (event: E) => void): void
}

/** Paths the server handles itself; navigations to them never get the cached page. */
const NOT_A_PAGE = /^\/(devices|users|tracker_\w+|api|api-auth|options|ingest|mock|stripe|docs|healthz|readyz|metrics)([/?]|$)/
/** A server that takes longer counts as unreachable. */
const TIMEOUT_MS = 6000

const openCache = () => caches.open(`build-${BUILD}`)

/** Keeps the previous build's cache: one of its pages may still be open. */
const deleteOldCaches = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('build-'))
  await Promise.all(names.slice(0, -2).map((name) => caches.delete(name)))
}

const fetchWithTimeout = (request: RequestInfo) =>
  Promise.race([fetch(request), new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No response')), TIMEOUT_MS))])

async function matchCache(key: RequestInfo): Promise<Response> {
  const answer = await caches.match(key, { ignoreVary: true })
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

/** Network first; the cache is used only when the server does not respond. */
const serverFirst = async (request: Request, key: string) => {
  try {
    const answer = await fetchWithTimeout(request)
    if (answer.ok && key !== '/') await (await openCache()).put(key, answer.clone())
    return answer
  } catch {
    return matchCache(key)
  }
}

worker.addEventListener<WorkerEvent>('install', (event) => {
  const keep = async () => {
    const cache = await openCache()
    await cache.addAll([new Request('/', { cache: 'reload' }), ...FILES])
    await worker.skipWaiting()
  }
  event.waitUntil(keep())
})

worker.addEventListener<WorkerEvent>('activate', (event) => event.waitUntil(deleteOldCaches().then(() => worker.clients.claim())))

worker.addEventListener<LanguageMessage>('message', (event) => {
  event.waitUntil(openCache().then((cache) => cache.addAll(['/config.json', ...(WORDS[event.data.language] ?? [])])))
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

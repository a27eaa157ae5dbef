/**
 * The service worker, so that the portal opens without a connection. It is built apart (scripts/build/worker.ts), which puts the
 * two lists before it, and imports nothing. It keeps files of builds, whose names say what is in them, the page and the
 * configuration; never an answer of the API.
 */
type Working = Event & { waitUntil(work: Promise<unknown>): void }
type Asked = Working & { request: Request; respondWith(answer: Promise<Response>): void }
type Told = MessageEvent<{ language: string }> & Working

/** The build, its files, and its words by language. */
declare const BUILD: string
declare const FILES: string[]
declare const WORDS: Record<string, string[]>

const worker = self as unknown as {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener<E extends Event>(type: string, listen: (event: E) => void): void
}

/** What a server answers itself, and never with the page. */
const NOT_A_PAGE = /^\/(devices|users|tracker_\w+|api|api-auth|options|ingest|mock|stripe|docs|healthz|readyz|metrics)([/?]|$)/
/** A connection that answers nothing for so long is none. */
const PATIENCE_MS = 6000

const current = () => caches.open(`build-${BUILD}`)

/** The build before this one stays: a page of it may still be open. */
const forgetOld = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('build-'))
  await Promise.all(names.slice(0, -2).map((name) => caches.delete(name)))
}

const inTime = (request: RequestInfo) =>
  Promise.race([fetch(request), new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No answer')), PATIENCE_MS))])

async function kept(key: RequestInfo): Promise<Response> {
  const answer = await caches.match(key, { ignoreVary: true })
  if (!answer) throw new Error('Not kept')
  return answer
}

/** A name says what is in the file: one that is kept need not be asked for. */
const fileFirst = (request: Request) =>
  kept(request).catch(async () => {
    const answer = await fetch(request)
    if (answer.ok) await (await current()).put(request, answer.clone())
    return answer
  })

/** From the server; from before only when it does not answer. */
const serverFirst = async (request: Request, key: string) => {
  try {
    const answer = await inTime(request)
    if (answer.ok && key !== '/') await (await current()).put(key, answer.clone())
    return answer
  } catch {
    return kept(key)
  }
}

worker.addEventListener<Working>('install', (event) => {
  const keep = async () => {
    const cache = await current()
    await cache.addAll([new Request('/', { cache: 'reload' }), ...FILES])
    await worker.skipWaiting()
  }
  event.waitUntil(keep())
})

worker.addEventListener<Working>('activate', (event) => event.waitUntil(forgetOld().then(() => worker.clients.claim())))

worker.addEventListener<Told>('message', (event) => {
  event.waitUntil(current().then((cache) => cache.addAll(['/config.json', ...(WORDS[event.data.language] ?? [])])))
})

worker.addEventListener<Asked>('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!NOT_A_PAGE.test(pathname)) event.respondWith(serverFirst(request, '/'))
  } else if (pathname.startsWith('/assets/')) event.respondWith(fileFirst(request))
  else if (pathname === '/config.json' && search === '') event.respondWith(serverFirst(request, '/config.json'))
})

export {}

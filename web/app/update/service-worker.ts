import type { PushButton, PushedAlert, PushPayload } from '#contracts/accounts/push.ts'

/**
 * The service worker, so that the portal opens offline. Built separately (scripts/build/worker.ts), which prepends the two lists below, so
 * it imports only types. It caches hashed build files, the page and the configuration, but never an API response.
 */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
type WorkerFetchEvent = WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }
type PushNews = WorkerEvent & { data: { json(): PushPayload } | null }
/** What a notification keeps for a click: its page, or that and the alert that it is about. */
type NotificationData = string | { url: string; alert: PushedAlert }
type NotificationClick = WorkerEvent & { action: string; notification: { title: string; data: NotificationData; close(): void } }
type WorkerConfig = { apiBaseUrl?: string; auth?: { csrfCookie?: string; csrfHeader?: string; credentials?: RequestCredentials } }
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
  Notification?: { maxActions?: number; prototype: object }
  cookieStore?: { get(name: string): Promise<{ value: string } | null> }
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
  const { title, body, url, alert, image: path } = event.data.json()
  const data: NotificationData = alert ? { url, alert } : url
  // Notifications about one tracker replace older ones.
  const options = { body, tag: url, renotify: true, icon: ICON, data, ...(alert && { actions: chooseActions(alert.buttons) }) }
  const show = async () => {
    const image = path && (await loadPicture(path).catch(() => undefined))
    await worker.registration.showNotification(title, { ...options, ...(image && { image }) })
  }
  event.waitUntil(show())
})

/** An alert waits no longer for its map. */
const PICTURE_TIMEOUT_MS = 3000

/** A map as data, because a browser waits for a picture that it loads itself for more than a minute. Undefined where none are shown. */
async function loadPicture(path: string) {
  if (!worker.Notification || !('image' in worker.Notification.prototype)) return undefined
  const { apiBaseUrl = '' } = await readConfig()
  const answer = await fetch(apiBaseUrl.replace(/\/$/, '') + path, { signal: AbortSignal.timeout(PICTURE_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`The server responded ${answer.status}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return `data:image/jpeg;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

const readConfig = async (): Promise<WorkerConfig> => (await serverFirst(new Request('/config.json'), '/config.json')).json()

const ICON = '/icons/192.png'
const KNOWN_ACTIONS = ['show', 'boost', 'snooze'] satisfies PushButton['action'][]

/** A click on the notification shows the page as well, so this button is left out if not all fit. */
function chooseActions(buttons: readonly PushButton[]) {
  const most = worker.Notification?.maxActions ?? 2
  const known = buttons.filter(({ action }) => KNOWN_ACTIONS.includes(action))
  const fitting = known.length > most ? known.filter(({ action }) => action !== 'show') : known
  return fitting.slice(0, most).map(({ action, title }) => ({ action, title }))
}

worker.addEventListener<NotificationClick>('notificationclick', (event) => {
  const { action, notification } = event
  const { data } = notification
  notification.close()
  const alert = typeof data === 'string' ? undefined : data.alert
  const url = typeof data === 'string' ? data : data.url
  const button = alert?.buttons.find((one) => one.action === action)
  event.waitUntil(alert && button?.done ? changeByButton(notification, { url, alert, button }) : openPage(button?.url ?? url))
})

async function openPage(url: string) {
  const [page] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: false })
  if (!page) return worker.clients.openWindow(url)
  return (await page.focus()).navigate(url)
}

/**
 * Boosts the tracker or mutes the alert without opening the portal. If the server refuses, for example because the session has ended, a page
 * of the portal opens, which asks. Browsers that no longer allow that by then show the notification again.
 */
async function changeByButton(
  { title }: { title: string },
  { url, alert, button }: { url: string; alert: PushedAlert; button: PushButton },
) {
  const shown = { tag: url, icon: ICON, silent: true }
  const until = await sendChange(alert, button.action).catch(() => undefined)
  if (until === undefined)
    return openPage(button.url).catch(() => worker.registration.showNotification(title, { ...shown, data: button.url }))
  const locale = navigator.languages.find((tag) => tag.split('-')[0] === alert.language) ?? alert.language
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(new Date(until))
  return worker.registration.showNotification((button.done ?? title).replace('{{time}}', time), { ...shown, data: url })
}

/** A browser lets a click open a window for some seconds only. */
const CHANGE_TIMEOUT_MS = 5000
const BOOST_MINUTES = 15

/** Sends the request with the cookies of the session, as the portal would; returns the end of the boost or of the silence. */
async function sendChange({ device, kind }: PushedAlert, action: PushButton['action']): Promise<string> {
  const { apiBaseUrl = '', auth = {} } = await readConfig()
  const csrf = await worker.cookieStore?.get(auth.csrfCookie ?? 'csrftoken')
  const { path, body } =
    action === 'boost'
      ? { path: `/devices/${device}/realtime_boost/`, body: { duration_minutes: BOOST_MINUTES } }
      : { path: '/alert_silences/', body: { devices: [device], kinds: [kind], hours: 1 } }
  const answer = await fetch(apiBaseUrl.replace(/\/$/, '') + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(csrf && { [auth.csrfHeader ?? 'X-CSRFToken']: decodeURIComponent(csrf.value) }) },
    body: JSON.stringify(body),
    credentials: auth.credentials ?? 'same-origin',
    signal: AbortSignal.timeout(CHANGE_TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`The server responded ${answer.status}`)
  return (await answer.json()).until
}

worker.addEventListener<WorkerFetchEvent>('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!NOT_A_PAGE.test(pathname)) event.respondWith(serverFirst(request, '/'))
  } else if (pathname.startsWith('/assets/')) event.respondWith(fileFirst(request))
  else if (pathname === '/config.json' && search === '') event.respondWith(serverFirst(request, '/config.json'))
})

import { pickLanguage } from '#contracts/rules/user.ts'
import type { StartedRequest } from '#web/lib/api/started.ts'
import { endsOf, parsePeriod, toDay } from '#web/lib/period.ts'
import { reloadAfterLoss } from './reload.ts'

/**
 * The inline script of the page. It starts the requests of the first page in parallel to the scripts, repeats lost ones, and shows a
 * message when the connection is slow. scripts/build/start-script.ts builds it and defines the constants below. Without it (a content
 * security policy that forbids it, development) the portal only starts more slowly.
 */
type Files = { scripts: string[]; styles: string[] }

declare const ENTRY: Files
/** Additional files of the first pages. */
declare const PAGES: { login: Files; home: Files; history: Files }
/** Locale files per language: those of every page, of signed-in pages, and of histories. */
declare const WORDS: Record<string, { all: string; inside: string[]; history: string }>
declare const SLOW: Record<string, string>

/** Screens that are not first pages. */
const OTHER =
  /^\/(pub|contact_us|start_\w+|install_\w+|main|deep-link|app|account\/app|verify_auth|network_activate|config_sct2|exit|error|operator|dev)\b/
const SIGN_IN = /^\/(login|logout|signup|account_confirmation|account_email|account_email_sent|account_email_update_complete)\b/
const HISTORY = /^\/trackers\/([^/]+)\/history\/*$/
/** Screens that begin with the list of trackers. */
const TRACKERS = /^\/(map|trackers|trackers\/(?!add\b).+)?\/*$/

const SLOW_MS = 5000
const MAX_ATTEMPTS = 10

const read = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const { pathname, searchParams, origin } = new URL(location.href)
const token = (/^\/pub\b/.test(pathname) ? null : searchParams.get('token')) || read('token')
const language = pickLanguage([read('language') ?? '', ...navigator.languages])
const inside = HISTORY.test(pathname) ? 'history' : 'home'
const page = OTHER.test(pathname) ? null : token && !SIGN_IN.test(pathname) ? inside : 'login'

function preload(href: string, attributes: Record<string, string>) {
  const link = document.createElement('link')
  for (const [name, value] of Object.entries({ crossorigin: '', ...attributes, href })) link.setAttribute(name, value)
  document.head.append(link)
}

/**
 * Loads scripts by `fetch`, so that the import finds them in the browser's cache: browsers never request a module again that failed to
 * load, not even one that was only preloaded.
 */
function preloadFiles({ scripts, styles }: Files) {
  for (const script of scripts) preloadScript(script)
  for (const style of styles) preload(style, { rel: 'preload', as: 'style' })
}

const preloadScript = (file: string) =>
  fetch(file)
    .then((answer) => answer.arrayBuffer())
    .catch(() => undefined)

const requests: StartedRequest[] = []
globalThis.startedRequests = { pathname, requests }

function request(url: string, init: RequestInit, authorization: string | null = null) {
  const started: StartedRequest = { url, authorization, answer: fetch(url, init) }
  requests.push(started)
  started.answer.then(
    () => {
      started.arrivedAt = Date.now()
    },
    // The API client sends a failed request again.
    () => undefined,
  )
  return started.answer
}

type Config = { apiBaseUrl?: string; auth?: { scheme?: string; credentials?: RequestCredentials }; features?: string[] }

/**
 * The first data of signed-in pages, with the headers of web/lib/api/api.ts. The configuration contains the API's address; `now` is the
 * time of the server, from its `Date` header.
 */
function requestData({ apiBaseUrl = '', auth = {}, features = [] }: Config, now: string | null) {
  const base = new URL(apiBaseUrl, origin).href.replace(/\/+$/, '')
  const authorization = `${auth.scheme ?? 'Bearer'} ${token}`
  const init = {
    headers: { accept: 'application/json, */*;q=0.5', authorization },
    ...(auth.credentials && { credentials: auth.credentials }),
  }
  if (TRACKERS.test(pathname)) void request(`${base}/devices/?type=tracker`, init, authorization)
  void request(`${base}/options/`, init, authorization)
  if (!now || !Number.isFinite(Date.parse(now))) return
  const today = toDay(new Date(now))
  const period = parsePeriod(searchParams, today)
  if (page !== 'history' || !features.includes('track') || !period) return
  const [from, to] = endsOf(period, today)
  const query = new URLSearchParams({ not_before: from, ...(to && { not_after: to }) })
  void request(`${base}/devices/${HISTORY.exec(pathname)?.[1]}/tracker_data/track/?${query}`, init, authorization)
}

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
// First, because the data waits for it. After a reload by the user the service worker waits longer for the server.
request(`${origin}/config.json`, { cache: navigation?.type === 'reload' ? 'reload' : 'no-cache' })
  .then(async (answer) => {
    if (page === inside && answer.ok) requestData(await answer.clone().json(), answer.headers.get('date'))
  })
  .catch(() => undefined)
for (const script of ENTRY.scripts) preload(script, { rel: 'modulepreload' })
if (page) preloadFiles(PAGES[page])
const words = WORDS[language]
const files = words ? [words.all, ...(page === 'login' ? [] : words.inside), ...(page === 'history' ? [words.history] : [])] : []
for (const file of files) preloadScript(file)

// The browser offers the installation once, perhaps before the scripts have loaded (web/home/install/install-offer.ts).
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  globalThis.installPrompt = event
})

const theme = read('theme')
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
document.documentElement.dataset.page = page === 'history' ? 'home' : (page ?? 'other')

const unhide = (id: string, text?: string) => {
  const element = document.getElementById(id)
  if (text && element) element.textContent = text
  element?.removeAttribute('hidden')
}
setTimeout(() => unhide('slow', SLOW[language]), SLOW_MS)

const attempts = new Map<string, number>()

/** Loads a style sheet again, with growing pauses. */
function repeat(lost: HTMLLinkElement, file: string) {
  const attempt = (attempts.get(file) ?? 0) + 1
  attempts.set(file, attempt)
  if (attempt > MAX_ATTEMPTS) return unhide('unloaded')
  const again = document.createElement('link')
  for (const { name, value } of lost.attributes) again.setAttribute(name, value)
  setTimeout(() => lost.replaceWith(again), Math.min(30_000, 250 * 2 ** attempt))
}

// The page itself may be cut off: this is the last of its elements that the portal needs.
addEventListener('DOMContentLoaded', () => document.getElementById('unloaded') || reloadAfterLoss())

// Failed files do not bubble.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && ENTRY.scripts.some((file) => target.src.endsWith(file)))
      reloadAfterLoss() || unhide('unloaded')
    if (target instanceof HTMLLinkElement && ENTRY.styles.some((file) => target.href.endsWith(file))) repeat(target, target.href)
  },
  true,
)

import vm from 'node:vm'
import { expect, vi } from 'vitest'
import { workerScript } from './worker.ts'

const ORIGIN = 'https://portal.test'
const script = await workerScript()
export const stores = new Map<string, Map<string, Response>>()
export const server = vi.fn(async (url: string, _init?: RequestInit) => new Response(`fresh ${url}`))

export type Page = { focus(): Promise<Page>; navigate(url: string): Promise<void> }
export const pages: Page[] = []
export const opened: string[] = []
export const shown: { title: string; actions?: { action: string }[]; image?: string; data?: unknown }[] = []
/** Cookies that the worker may read. */
export const cookies = new Map<string, string>()

type RequestOptions = { method?: string; mode?: string; origin?: string; cache?: string }
const pathOf = (request: { url: string } | string) => (typeof request === 'string' ? request : request.url).replace(ORIGIN, '')

class TestRequest {
  url: string
  constructor(url: string) {
    this.url = url
  }
}

/** `endWait` ends the time for which the worker waits for the server. */
export function startWorker(BUILD: string) {
  const waits: { end: () => void; ms: number }[] = []
  const listeners = new Map<string, (event: object) => void>()
  const fetch = async (request: { url: string } | string, init?: RequestInit) => server(pathOf(request), ...(init ? [init] : []))
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, store)
    const put = async (key: { url: string } | string, response: Response) => void store.set(pathOf(key), response)
    return {
      put,
      addAll: async (keys: ({ url: string } | string)[]) => void (await Promise.all(keys.map(async (key) => put(key, await fetch(key))))),
    }
  }
  const match = async (key: { url: string } | string, { cacheName }: { cacheName?: string } = {}) =>
    [...stores]
      .filter(([name]) => name === (cacheName ?? name))
      .map(([, store]) => store.get(pathOf(key)))
      .find(Boolean)
      ?.clone()
  const caches = { open, match, keys: async () => [...stores.keys()], delete: async (name: string) => stores.delete(name) }
  const self = {
    skipWaiting: async () => undefined,
    clients: { claim: async () => undefined, matchAll: async () => pages, openWindow: async (url: string) => void opened.push(url) },
    registration: { showNotification: async (title: string, options: object) => void shown.push({ title, ...options }) },
    Notification: { maxActions: 2, prototype: { image: '' } as object },
    cookieStore: {
      get: async (name: string) => (cookies.has(name) ? { value: cookies.get(name) } : null),
    },
    addEventListener: (type: string, listen: (event: object) => void) => listeners.set(type, listen),
  }
  const lists = { BUILD, FILES: [`/assets/index-${BUILD}.js`], WORDS: { fr: ['/assets/words-fr.js'] } }
  vm.runInNewContext(script, {
    ...lists,
    self,
    caches,
    fetch,
    location: { origin: ORIGIN },
    URL,
    Request: TestRequest,
    Response,
    Headers,
    Error,
    btoa,
    Uint8Array,
    AbortSignal,
    navigator: { languages: ['en-GB', 'fr-CA'] },
    Promise,
    setTimeout: (end: () => void, ms: number) => waits.push({ end, ms }),
  })
  const dispatch = async (type: string, event: object = {}) => {
    let work: Promise<unknown> = Promise.resolve()
    listeners.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) })
    await work
  }
  const times: (string | null)[] = []
  const request = async (path: string, { method = 'GET', mode = 'cors', origin = ORIGIN, cache = 'default' }: RequestOptions = {}) => {
    let response: Promise<Response> | undefined
    const request = { url: origin + path, method, mode, cache }
    listeners.get('fetch')?.({ request, respondWith: (given: Promise<Response>) => (response = given) })
    return response
      ?.then((given) => {
        times.push(given.headers.get('date'))
        return given.text()
      })
      .catch(() => 'no answer')
  }
  const endWait = async () => {
    await expect.poll(() => waits).not.toEqual([])
    const { end, ms } = waits.pop()!
    end()
    return ms
  }
  return { self, dispatch, request, times, endWait, install: () => dispatch('install').then(() => dispatch('activate')) }
}

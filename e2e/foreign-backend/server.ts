import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Body, Call, Route } from './calls.ts'
import { DEVICE_ROUTES } from './devices.ts'
import { BACKENDS, type BackendName, type Faults, type Habits, NO_FAULTS } from './habits.ts'
import { cutPage, Refusal, type Reply, replyWithRefusal } from './replies.ts'
import { createState, type State } from './state.ts'
import { USER_ROUTES } from './users.ts'

const ROUTES: Route[] = [...DEVICE_ROUTES, ...USER_ROUTES]

/** The defaults of django-cors-headers; it exposes no header. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'DELETE, GET, OPTIONS, PATCH, POST, PUT',
  'access-control-allow-headers': 'accept, authorization, content-type, user-agent, x-csrftoken, x-requested-with',
}

/** A request that reached the backend. */
export type JournalEntry = { method: string; path: string; query: string; authorization: string; body: unknown; status: number }

type Options = { port?: number; trackers?: number; habits?: Partial<Habits>; faults?: Partial<Faults>; now?: () => Date }

function findRoute(method: string, path: string) {
  const parts = path.split('/')
  for (const route of ROUTES) {
    const wanted = route.path.split('/')
    const fits =
      wanted.length === parts.length && wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
    if (!fits || route.method !== method) continue
    const named = wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[index]!)]] : []))
    return { route, params: Object.fromEntries(named) as Record<string, string> }
  }
  return undefined
}

const isPathOfOtherMethod = (path: string) => ['GET', 'POST', 'PATCH', 'DELETE'].some((method) => findRoute(method, path))

async function readBody(request: http.IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  if (text === '') return {}
  if (request.headers['content-type']?.includes('urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Body) : {}
  } catch {
    throw new Refusal(400, 'JSON parse error.')
  }
}

/** The user or the public link that the token belongs to. */
function findCaller(authorization: string, state: State, { scheme, visitors }: Habits, now: Date) {
  const [kind, token] = authorization.split(' ')
  if (kind !== scheme || !token) return {}
  const user = state.users.find(({ id }) => id === state.sessions.get(token))
  const link = visitors === 'list' ? state.links.find((one) => one.token === token && (one.end === null || one.end > now)) : undefined
  return { user, link }
}

function refuseStranger(authorization: string, { scheme, endedSession }: Habits): never {
  const isSent = authorization.startsWith(`${scheme} `)
  const message = isSent ? 'Invalid token.' : 'Authentication credentials were not provided.'
  throw new Refusal(endedSession, message, { headers: { 'www-authenticate': scheme } })
}

function allow({ access }: Route, { user, link, habits }: Call, authorization: string) {
  if (access === 'open' || user || (access === 'shared' && link)) return
  if (link) throw new Refusal(403, 'You do not have permission to perform this action.')
  refuseStranger(authorization, habits)
}

/** Starts one backend on a port of its own; its state is lost when it is closed. */
export async function startForeignBackend(name: BackendName, options: Options = {}) {
  const habits: Habits = { ...BACKENDS[name], ...options.habits }
  const now = options.now ?? (() => new Date())
  const faults: Faults = { ...NO_FAULTS, ...options.faults }
  const state = createState(options.trackers ?? 18, now())
  const journal: JournalEntry[] = []

  let recent: number[] = []
  function throttleRequests() {
    const time = now().getTime()
    recent = recent.filter((at) => at > time - 60_000)
    if (recent.length >= habits.requestsPerMinute) {
      const seconds = Math.ceil((recent[0]! + 60_000 - time) / 1000)
      throw new Refusal(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
        headers: { 'retry-after': String(seconds) },
      })
    }
    recent.push(time)
  }

  async function answer(request: http.IncomingMessage, url: URL, path: string, entry: JournalEntry): Promise<Reply> {
    const body = await readBody(request)
    entry.body = body
    if (faults.unavailable > 0) {
      faults.unavailable--
      throw new Refusal(503, 'Service temporarily unavailable, try again later.', { headers: { 'retry-after': String(faults.retryAfter) } })
    }
    throttleRequests()
    const found = findRoute(entry.method, path)
    const caller = findCaller(entry.authorization, state, habits, now())
    if (!found) {
      if (entry.method === 'GET' && findRoute('GET', `${path}/`)) {
        return { status: 301, text: '', headers: { location: `${habits.prefix}${path}/${url.search}` } }
      }
      if (!isPathOfOtherMethod(path)) throw new Refusal(404, '')
      if (!caller.user) refuseStranger(entry.authorization, habits)
      throw new Refusal(405, `Method "${entry.method}" not allowed.`)
    }
    const origin = habits.innerHost ? `http://${habits.innerHost}` : url.origin + habits.prefix
    const list = (rows: readonly unknown[]): Reply => {
      const page = cutPage({ rows, query: url.searchParams, origin, path, habits })
      if (path === '/devices/' && page.number === faults.failedPage) throw new Refusal(500, 'A server error occurred.')
      return { status: 200, body: page.body }
    }
    const call: Call = {
      habits,
      state,
      now: now(),
      query: url.searchParams,
      body,
      params: found.params,
      user: caller.user,
      link: caller.link,
      list,
    }
    allow(found.route, call, entry.authorization)
    const reply = found.route.answer(call)
    return habits.envelope === 'data' && reply.body !== undefined ? { ...reply, body: { data: reply.body } } : reply
  }

  function send(response: http.ServerResponse, reply: Reply) {
    const json = reply.body === undefined ? undefined : JSON.stringify(reply.body)
    if (json !== undefined) response.setHeader('content-type', 'application/json')
    response.writeHead(reply.status, { vary: 'Origin', ...reply.headers })
    response.end(reply.binary ?? reply.text ?? json)
  }

  const server = http.createServer(async (request, response) => {
    const method = request.method ?? 'GET'
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    for (const [header, value] of Object.entries(CORS)) response.setHeader(header, value)
    if (habits.exposedHeaders) response.setHeader('access-control-expose-headers', habits.exposedHeaders)
    if (method === 'OPTIONS') return response.writeHead(200, { 'content-length': 0 }).end()
    const isInside = url.pathname.startsWith(`${habits.prefix}/`)
    const path = isInside ? url.pathname.slice(habits.prefix.length) : url.pathname
    const authorization = request.headers.authorization ?? ''
    const entry: JournalEntry = { method, path, query: url.search, authorization, body: undefined, status: 0 }
    journal.push(entry)
    if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs))
    const reply = await (isInside ? answer(request, url, path, entry) : Promise.reject(new Refusal(404, ''))).catch((error: unknown) =>
      replyWithRefusal(error instanceof Refusal ? error : new Refusal(500, 'A server error occurred.'), habits),
    )
    entry.status = reply.status
    if (faults.cut !== '' && `${method} ${path}`.startsWith(faults.cut)) {
      faults.cut = ''
      return response.destroy()
    }
    send(response, reply)
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** Path prefix of the documented calls. */
    baseUrl: `${origin}${habits.prefix}/`,
    habits,
    state,
    faults,
    journal,
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => server.close(closed).closeAllConnections())
    },
  }
}

export type ForeignBackend = Awaited<ReturnType<typeof startForeignBackend>>

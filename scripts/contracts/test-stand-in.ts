import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { startListeningPortal } from './test-io.ts'

type Answer = { status: number; body: unknown }
type Habit = (request: { method: string; path: string }, answer: Answer) => Answer

const page = (status: number) => `<!doctype html><title>${status}</title><h1>${status}</h1>`

/** Deviations of a backend built with another framework over the same data. */
const habits: Habit[] = [
  ({ path }, answer) => (path === '/users/orders/' ? { status: 500, body: page(500) } : answer),
  (_, answer) => (answer.status === 404 ? { ...answer, body: page(404) } : answer),
  ({ method }, answer) => (method === 'DELETE' && answer.status === 200 ? { status: 204, body: '' } : answer),
  ({ path }, answer) =>
    path === '/api/v1/auth/web_get_token/' && answer.status === 401
      ? { status: 400, body: { non_field_errors: ['Unable to log in with provided credentials.'] } }
      : answer,
  ({ path }, answer) =>
    path === '/users/me/' && answer.status === 200 ? { ...answer, body: { ...(answer.body as object), date_joined: 1 } } : answer,
  ({ method, path }, answer) =>
    method === 'GET' && path === '/tracker_tags/' && Array.isArray(answer.body)
      ? { ...answer, body: { count: answer.body.length, results: answer.body } }
      : answer,
  ({ path }, answer) =>
    path === '/devices/' && Array.isArray(answer.body) ? { ...answer, body: answer.body.map(renamed).toReversed() } : answer,
  ({ method, path }, answer) =>
    method === 'PATCH' && path.startsWith('/tracker_places/') ? { ...answer, body: { ...(answer.body as object), type: 'home' } } : answer,
  ({ method, path }, answer) =>
    method === 'PATCH' && path.startsWith('/tracker_contacts/') ? { ...answer, body: { ...(answer.body as object), phone: null } } : answer,
  ({ method, path }, answer) =>
    method === 'POST' && path.endsWith('/public_share_link/') && answer.status === 409 ? { status: 201, body: SIXTH } : answer,
]

const renamed = (device: { tracker_status: object }, index: number) =>
  index === 0
    ? { ...device, type: 'tracker_05' }
    : index === 1
      ? { ...device, tracker_status: { ...device.tracker_status, sub_state: 'suspended' } }
      : device

const SIXTH = {
  uuid: '6f0f7f5e-0f3a-4c55-9d0a-0d5b1c2d3e4f',
  label: 'one too many',
  start_date: null,
  end_date: null,
  expiry: null,
  permanent: true,
  from_beginning: true,
  last_point: false,
}

/** A backend with those deviations and the data of a test portal; redirects paths without a final slash with 301. */
export async function startStandIn(portal: Awaited<ReturnType<typeof startListeningPortal>>) {
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url!, portal.base)
    const seen = { method: request.method!, path: url.pathname }
    if (!url.pathname.endsWith('/')) return reply.writeHead(301, { location: `${url.pathname}/${url.search}` }).end()
    const { headers, ...given } = await answered(portal.base, request, url)
    const { status, body } = habits.reduce((answer, habit) => habit(seen, answer), given)
    const isText = typeof body === 'string'
    const type = isText && body.startsWith('<!doctype') ? 'text/html; charset=utf-8' : (headers.get('content-type') ?? 'application/json')
    const date = headers.get('date') ?? ''
    reply.writeHead(status, { date, ...(status !== 204 && { 'content-type': type }) }).end(isText ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { base, [Symbol.asyncDispose]: stop }
}

async function answered(base: string, request: IncomingMessage, { pathname, search }: URL) {
  const { host: _, connection: __, ...headers } = request.headers
  const body = request.method === 'GET' ? undefined : await text(request)
  const response = await fetch(base + pathname + search, {
    method: request.method!,
    headers: headers as Record<string, string>,
    ...(body !== undefined && { body }),
  })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, body: ': live\n\n' }
  }
  const said = await response.text()
  return { status: response.status, headers: response.headers, body: type.includes('json') ? (JSON.parse(said) as unknown) : said }
}

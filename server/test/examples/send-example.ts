import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { findContentType, findUpload, getSuccess, type Route } from '#contracts/lib/route.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { type AnyExample, getEndpoint } from './all.ts'
import type { Caller } from './example.ts'

type Sent = { status: number; type: string; headers: OutgoingHttpHeaders; text: string }
type SignIn = (key: NonNullable<Caller>) => Promise<string>

/**
 * Sends the request of an example, after those it depends on and in the same session; `headers` may select another world than the main one,
 * and `extra` fields are added to a JSON body.
 */
export function sendExample(app: FastifyInstance, name: string, signIn: SignIn, headers: Record<string, string> = {}, extra = {}) {
  const sessions = new Map<string, Promise<string>>()
  const signInOnce: SignIn = (key) => {
    const session = sessions.get(key) ?? signIn(key)
    sessions.set(key, session)
    return session
  }
  return sendInSession(app, name, signInOnce, headers, extra)
}

async function sendInSession(
  app: FastifyInstance,
  name: string,
  signIn: SignIn,
  headers: Record<string, string>,
  extra = {},
): Promise<Sent> {
  const { route, example } = getEndpoint(name)
  for (const earlier of example.after ?? []) await sendInSession(app, earlier, signIn, headers)
  const { as = 'alice', body } = example
  const file = findUpload(route.body)
  const isStream = findContentType(getSuccess(route).schema) === 'text/event-stream'
  const answer = await app.inject({
    method: route.method,
    url: buildUrl(route, example),
    headers: {
      ...headers,
      ...authHeaders(route, as && (await signIn(as))),
      ...(isStream && { 'last-event-id': '0' }),
      ...(file && { 'content-type': file.contentType }),
    },
    payloadAsStream: isStream,
    ...(body !== undefined && { payload: body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : { ...body, ...extra } }),
  })
  const text = isStream ? await readFirstChunk(answer.stream()) : answer.body
  return { status: answer.statusCode, type: String(answer.headers['content-type'] ?? ''), headers: answer.headers, text }
}

/** First chunk of an endless stream. */
async function readFirstChunk(stream: AsyncIterable<Buffer>) {
  for await (const piece of stream) return String(piece)
  return ''
}

/** The path with its parameters filled in, and the query. */
export function buildUrl(route: Route, { params = {}, query = {} }: AnyExample) {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

/** Headers that authenticate a request: a session token, a device key, or none. */
export const authHeaders = (route: Route, token: string | null): Record<string, string> => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...(route.access === 'device' && { 'x-device-key': DEVICE_KEY }),
})

import type { FastifyInstance } from 'fastify'
import { contentTypeOf, successOf, uploadOf } from '#contracts/lib/route.ts'
import { getEndpoint } from './all.ts'
import type { Caller } from './example.ts'
import { authHeaders, buildUrl } from './request.ts'

type SignIn = (key: NonNullable<Caller>) => Promise<string>

/** Sends the request of an example, after those that it depends on; `headers` may select another world than the main one. */
export async function sendExample(app: FastifyInstance, name: string, signIn: SignIn, headers: Record<string, string> = {}) {
  const { route, example } = getEndpoint(name)
  for (const earlier of example.after ?? []) await sendExample(app, earlier, signIn, headers)
  const { as = 'alice', body } = example
  const file = uploadOf(route.body)
  const isStream = contentTypeOf(successOf(route).schema) === 'text/event-stream'
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
    ...(body !== undefined && { payload: body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : (body as object) }),
  })
  const text = isStream ? await readFirstChunk(answer.stream()) : answer.body
  return { status: answer.statusCode, type: String(answer.headers['content-type'] ?? ''), text }
}

/** First chunk of an endless stream. */
async function readFirstChunk(stream: AsyncIterable<Buffer>) {
  for await (const piece of stream) return String(piece)
  return ''
}

import type { FastifyInstance } from 'fastify'

/** A `fetch` that reaches the server without a socket, even before it listens. */
export const createInjectFetch =
  (app: FastifyInstance): typeof globalThis.fetch =>
  async (input, init = {}) => {
    const request = new Request(new URL(input instanceof Request ? input.url : String(input), 'http://portal.test'), init)
    const payload = ['GET', 'HEAD'].includes(request.method) ? undefined : Buffer.from(await request.arrayBuffer())
    const { pathname, search } = new URL(request.url)
    const answer = await app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload?.length && { payload }),
    })
    const empty = answer.statusCode === 204 || answer.statusCode === 304
    return new Response(empty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] satisfies [string, string]),
    })
  }

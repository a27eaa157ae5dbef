import { text } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { computeEtag, matchesEtag } from '#server/http/encoding/etag.ts'

/** Headers that would make the static file server send the file compressed, in part, or not at all (304). */
const FILE_HEADERS = ['accept-encoding', 'range', 'if-modified-since', 'if-none-match']

/** Adds a script to every page of the portal. Other HTML is unchanged: mails, payment pages, the API reference. */
export function injectScript(app: FastifyInstance, src: string) {
  const withheld = new WeakMap<FastifyRequest, { etag?: string | undefined; encoding?: string | undefined }>()

  app.addHook('onRequest', (request, _, done) => {
    if (isPage(request)) {
      const { 'if-none-match': etag, 'accept-encoding': encoding } = request.headers
      withheld.set(request, { etag, encoding })
      for (const name of FILE_HEADERS) delete request.raw.headers[name]
    }
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { encoding } = withheld.get(request) ?? {}
    if (encoding) request.raw.headers['accept-encoding'] = encoding // for the compression, which runs later
    if (!withheld.has(request) || ![200, 404].includes(reply.statusCode) || !isHtml(reply.getHeader('content-type'))) done(null, payload)
    else addScriptToPage(request, reply, payload).then((page) => done(null, page), done)
  })

  async function addScriptToPage(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    for (const name of ['content-length', 'last-modified', 'accept-ranges', 'etag']) reply.removeHeader(name)
    if (request.method === 'HEAD') return payload
    const html = addScript(await text(payload as AsyncIterable<string>), src)
    const etag = computeEtag(html)
    reply.header('etag', etag)
    if (!matchesEtag(withheld.get(request)?.etag, etag)) return html
    reply.code(304)
    return null
  }
}

const addScript = (html: string, src: string) => html.replace('</head>', `<script type="module" src="${src}"></script></head>`)

/** The portal's page is served for every unknown path and for `/index.html`. */
const isPage = ({ is404, url }: FastifyRequest) => is404 || /^\/index\.html(\?|$)/.test(url)

const isHtml = (type: unknown) => String(type).startsWith('text/html')

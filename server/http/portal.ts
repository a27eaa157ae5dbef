import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'

type AppAddresses = { open?: string | undefined; appStore?: string | undefined; playStore?: string | undefined }

type Tiles = { url: string; attribution: string; maxZoom: number }

export type PortalConfig = {
  /** Base of the API; empty for the same origin. */
  apiBaseUrl: string
  productName: string
  supportEmail: string
  supportForm?: string | undefined
  /** How the two apps are opened and where they are found, as far as somebody has said. */
  apps?: Record<'track' | 'collar', AppAddresses>
  tiles: Tiles
  satellite?: Tiles | undefined
  /** Where else the pages of the card provider may be, and the older Stripe.js for an API that names no checkout (C-19). */
  payments?: { origins?: string[]; stripeJs?: string }
  /** Accounts a visitor may try; only the mock server names them. */
  demo?: { password: string; accounts: string[] }
  build: string
}

export type PortalOptions = { root: string; config: Omit<PortalConfig, 'build'> }

/**
 * Paths that belong to the API: what is unknown below them is answered by JSON, never by the page (C-20). So are files of an
 * older build: a browser that asks for a script must not be given a page.
 */
const NOT_A_PAGE = /^\/(devices|users|tracker_\w+|api|api-auth|options|ingest|mock|stripe|docs|healthz|readyz|metrics|assets)([/?]|$)/
const PAGE = /index\.html(\.\w+)?$/
/** What a browser installs the portal by. The build names no product. */
const MANIFEST = 'manifest.webmanifest'

/** Serves the built portal: its files for good, `/config.json` fresh, and the page itself for every path of the route table. */
export async function portal(app: FastifyInstance, options: PortalOptions | undefined) {
  if (!options) return void app.setNotFoundHandler(notFound)
  const { root, config } = options
  const build = await buildId(root)
  const policy = contentSecurityPolicy(config)
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    wildcard: false,
    index: false,
    globIgnore: [MANIFEST],
    setHeaders(reply, file) {
      reply.header('cache-control', file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (PAGE.test(file)) reply.header('content-security-policy', policy)
    },
  })
  app.get('/config.json', async (_, reply) => reply.header('cache-control', 'no-cache').send({ ...config, build } satisfies PortalConfig))
  const manifest = await manifestOf(root, config.productName)
  if (manifest)
    app.get(`/${MANIFEST}`, async (_, reply) => reply.header('cache-control', 'no-cache').type('application/manifest+json').send(manifest))
  app.setNotFoundHandler((request, reply) => {
    if (NOT_A_PAGE.test(request.url) || !['GET', 'HEAD'].includes(request.method)) return notFound()
    return reply.sendFile('index.html')
  })
}

const notFound = () => {
  throw new Failure('not_found')
}

const buildId = async (root: string) => (await readFile(path.join(root, 'build.txt'), 'utf8').catch(() => 'dev')).trim()

async function manifestOf(root: string, name: string) {
  const text = await readFile(path.join(root, MANIFEST), 'utf8').catch(() => null)
  return text && JSON.stringify({ ...JSON.parse(text), name, short_name: name })
}

const hostOf = (tiles: Tiles | undefined) => /^https?:\/\/[^/]+/.exec(tiles?.url ?? '')?.[0].replace('{s}', '*')

function contentSecurityPolicy({ apiBaseUrl, tiles, satellite, payments }: PortalOptions['config']) {
  const api = apiBaseUrl ? ` ${new URL(apiBaseUrl).origin}` : ''
  const tileHosts = [hostOf(tiles), hostOf(satellite)].filter(Boolean)
  // Our own API always names the checkout: only another one can need the provider's script, which brings frames of its own.
  const script = apiBaseUrl && payments?.stripeJs ? ` ${new URL(payments.stripeJs).origin}` : ''
  return [
    "default-src 'self'",
    `script-src 'self'${script}`,
    ...(script ? [`frame-src${script}`] : []),
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...tileHosts].join(' '),
    `connect-src 'self'${api}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

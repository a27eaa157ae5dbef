import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LAST_REDIRECTING_STRIPE_JS } from '#contracts/billing/stripe-js.ts'
import type { Feature } from '#contracts/reader/features.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { Failure } from '#server/lib/errors.ts'
import type { World } from '#server/ports/world.ts'
import { removePageHeaders } from './headers.ts'

type AppAddresses = { open?: string | undefined; appStore?: string | undefined; playStore?: string | undefined }

type Tiles = { url: string; attribution: string; maxZoom: number; streets?: { lat: number; lng: number } }

/** An address, or the languages of the files `/legal/texts/terms.en.json`. */
type LegalPlace = ({ url: string } | { languages: string[] }) & { version?: string }
export type PortalLegal = { terms?: LegalPlace; privacy?: LegalPlace; imprint?: LegalPlace }

export type PortalConfig = {
  /** Base of the API; empty for the same origin. */
  apiBaseUrl: string
  /** The features of the API; without the list the portal detects them. */
  features?: readonly Feature[]
  /** Days after its subscription until a tracker rests; null when none ever rests. */
  graceDays: number | null
  productName: string
  supportEmail: string
  supportForm?: string | undefined
  apps?: Record<'track' | 'collar', AppAddresses>
  tiles: Tiles
  satellite?: Tiles | undefined
  /** Other origins of the payment provider's pages, and another Stripe.js for an API that returns no checkout URL. */
  payments?: { origins?: string[]; stripeJs?: string }
  /** Where the terms, the privacy policy and the imprint are; absent without any. */
  legal?: PortalLegal | undefined
  /** The page on which customers withdraw from a contract. */
  withdrawal?: string | undefined
  /** Accounts a visitor may try; set only by the mock server. */
  demo?: { password: string; accounts: string[]; mayReplace?: boolean }
  build: string
}

export type PortalOptions = { root: string; config: Omit<PortalConfig, 'build' | 'graceDays'> }

/**
 * Path prefixes of the API, where an unknown path gets JSON instead of the page. Assets are included: a browser that requests a script of
 * an older build must not get a page.
 */
const API_PATH =
  /^\/(devices|users|tracker_\w+|api|api-auth|options|ingest|mock|stripe|docs|operator\/api|healthz|readyz|metrics|assets|legal\/texts)([/?]|$)/
const PAGE = /index\.html(\.\w+)?$/
/** Returns tags to add to the head of the page. */
type BuildHead = (request: FastifyRequest) => Promise<string>
/** The page of a public link, whose head chat programs read for a preview. */
const SHARED_PAGE = /^\/pub\/trackers\/?(\?|$)/i

/** Query parameters that occur only in reports of devices. */
const REPORT_NAMES = /[?&](lat|lon|lng|latitude|longitude|imei|dev_?eui|device_?id|timestamp|tst|batt|alarm|hdop)=/i
/** The portal's own links have ids too, but none on its first page and none in the form of a device key. */
const REPORT_ID = /^\/*(index\.html)?\?(.*&)?id=|[?&]id=[0-9a-f]{40}(&|$)/i

/** Whether an app sends its reports to the address of the portal, where it would take the page for their acknowledgement. */
const isMisdirectedReport = (url: string) => !API_PATH.test(url) && (REPORT_NAMES.test(url) || REPORT_ID.test(url))

const refuseReport = (reply: FastifyReply, origin: string) =>
  reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(
      `Nothing was stored: this is the address of the portal. Devices report to ${origin}/ingest/osmand, ${origin}/ingest/owntracks or ${origin}/ingest/overland, networks to ${origin}/ingest/ and their name.\n`,
    )

/** Web app manifest. The build contains no product name, so it is added here. */
const MANIFEST = 'manifest.webmanifest'
const ROBOTS = 'robots.txt'
/** Paths of the screens, a line each; the build writes them from the portal's route table. */
const SCREEN_PATHS = 'screen-paths.txt'

/** Conditional request headers, which would make the response for an unknown path an empty one. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'range']

/**
 * Serves the built portal: assets cached forever, `/config.json` never cached, and the page for the paths of its screens. For any other
 * path a browser gets the page with status 404, which says that there is nothing.
 */
export async function registerPortal(app: FastifyInstance, options: PortalOptions | undefined, buildSharedHead?: BuildHead) {
  if (!options) return void app.setNotFoundHandler(notFound)
  const { root, config } = options
  const build = await readBuildId(root)
  const isScreen = await readScreenPaths(root)
  const policy = buildContentSecurityPolicy(config, await hashInlineScripts(root))
  // The demo has its own.
  const hasRobots = app.hasRoute({ method: 'GET', url: `/${ROBOTS}` })
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    wildcard: false,
    index: false,
    globIgnore: [MANIFEST, 'assets/**', SCREEN_PATHS, 'build.txt', ...(hasRobots ? [ROBOTS] : [])],
    setHeaders(reply, file) {
      if (file.includes(`${path.sep}assets${path.sep}`)) return setAssetHeaders(reply)
      reply.header('cache-control', 'no-cache')
      if (PAGE.test(file)) reply.header('content-security-policy', policy)
    },
  })
  // One route for all assets: a route for each of hundreds of files took a fifth of the time to start.
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/*',
    handler: (request, reply) => reply.sendFile(`assets/${request.params['*']}`),
  })
  app.get('/config.json', async ({ world }: { world?: World }, reply) =>
    // The checker's proxy serves the portal without a world.
    reply.header('cache-control', 'no-cache').send({ ...config, graceDays: world?.graceDays ?? null, build } satisfies PortalConfig),
  )
  const manifest = await readManifest(root, config.productName)
  if (manifest)
    app.get(`/${MANIFEST}`, async (_, reply) => reply.header('cache-control', 'no-cache').type('application/manifest+json').send(manifest))
  app.get('/.well-known/security.txt', async ({ world: { clock, origin } }, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(formatSecurityTxt(config.supportEmail, origin, clock.now())),
  )
  const page = await readFile(path.join(root, 'index.html'), 'utf8').catch(() => null)
  const sendPage = (reply: FastifyReply, html: string) =>
    reply.header('cache-control', 'no-cache').header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
  // The file of the page has a route of its own; screens and unknown paths have none.
  app.addHook('onRequest', async ({ url, world, is404, routeOptions }, reply) => {
    const isPage = is404 || PAGE.test(routeOptions.url ?? '')
    if (isPage && url.includes('?') && isMisdirectedReport(url)) return refuseReport(reply, world.origin)
  })
  app.setNotFoundHandler(async (request, reply) => {
    const { url, method, headers } = request
    const wantsPage = acceptsPage(headers.accept)
    if (API_PATH.test(url) || !['GET', 'HEAD'].includes(method) || wantsPage === false) return notFound()
    if (page && buildSharedHead && SHARED_PAGE.test(url)) {
      const head = await buildSharedHead(request)
      const html = page.replace('</head>', () => `${head}</head>`)
      return sendPage(reply, html)
    }
    if (isScreen(url)) return reply.sendFile('index.html')
    if (!wantsPage) return notFound()
    for (const name of CONDITIONS) delete request.raw.headers[name]
    return reply.code(404).sendFile('index.html')
  })
}

/**
 * A page loads many assets, and they never change, so they carry no headers for pages and none for revalidation. They are the same for
 * every origin; browsers that preload a script and then import it send the origin only once.
 */
function setAssetHeaders(reply: FastifyReply) {
  removePageHeaders(reply)
  for (const name of ['etag', 'last-modified', 'accept-ranges']) reply.removeHeader(name)
  reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding')
}

/** Whether the client wants a page: undefined when it accepts anything, like command-line tools. */
function acceptsPage(accept: string | undefined) {
  if (accept?.includes('text/html')) return true
  return accept?.includes('application/json') ? false : undefined
}

/** Returns whether a URL has a screen. A portal built elsewhere may have no list, then every URL has one. */
async function readScreenPaths(root: string) {
  const text = await readFile(path.join(root, SCREEN_PATHS), 'utf8').catch(() => null)
  if (text === null) return () => true
  const pattern = new RegExp(`^(${text.trim().split('\n').map(toPattern).join('|')})/*$`, 'i')
  return (url: string) => pattern.test(url.replace(/[?#].*$/s, '').replace(/\/+/g, '/'))
}

/** Matches like the portal's router: `:id` is one segment, a final `*` any number of them. */
const toPattern = (screenPath: string) =>
  screenPath
    .replace(/\/+$/, '')
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\/\*$/, '(/.*)?')

/** The contact for security reports (RFC 9116). Expires within a year, as the standard advises. */
const formatSecurityTxt = (email: string, origin: string, now: Date) =>
  [
    `Contact: mailto:${email}`,
    `Expires: ${formatInstant(new Date(now.getTime() + 180 * DAY_MS))}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')

const notFound = () => {
  throw new Failure('not_found')
}

/** The page starts its first requests by an inline script (web/app/start/start.ts). */
async function hashInlineScripts(root: string) {
  const page = await readFile(path.join(root, 'index.html'), 'utf8').catch(() => '')
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

const readBuildId = async (root: string) => (await readFile(path.join(root, 'build.txt'), 'utf8').catch(() => 'dev')).trim()

async function readManifest(root: string, name: string) {
  const text = await readFile(path.join(root, MANIFEST), 'utf8').catch(() => null)
  return text && JSON.stringify({ ...JSON.parse(text), name, short_name: name })
}

const tileOrigin = (tiles: Tiles | undefined) => /^https?:\/\/[^/]+/.exec(tiles?.url ?? '')?.[0].replace('{s}', '*')

function buildContentSecurityPolicy({ apiBaseUrl, features, tiles, satellite, payments }: PortalOptions['config'], hashes: string[]) {
  const api = apiBaseUrl ? ` ${new URL(apiBaseUrl).origin}` : ''
  const tileHosts = [tileOrigin(tiles), tileOrigin(satellite)].filter(Boolean)
  // Our own API always returns a checkout URL, so only a foreign API that sells can need the provider's script and its frames.
  const mayNeedScript = apiBaseUrl !== '' && (features?.includes('subscriptions') ?? true)
  const script = mayNeedScript ? ` ${new URL(payments?.stripeJs ?? LAST_REDIRECTING_STRIPE_JS).origin}` : ''
  return [
    "default-src 'self'",
    `script-src 'self'${hashes.join('')}${script}`,
    ...(script ? [`frame-src${script}`] : []),
    "style-src 'self'",
    [`img-src 'self' data: blob:${api}`, ...tileHosts].join(' '),
    `connect-src 'self'${api}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

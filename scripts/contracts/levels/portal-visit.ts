import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createProxyServer } from 'httpxy'
import { type Browser, chromium, errors, type Page } from 'playwright'
import type { Visit, VisitPlan } from '#scripts/contracts/client/io.ts'
import { findInstalled, hasOwnChromium } from '#scripts/contracts/port.ts'

const FOLDER = 'dist/web'
/** The portal's own origin passes calls on to the backend, so no CORS is needed: a backend may allow only the origin of the real portal. */
const PREFIX = '/contracts-check'
const PATIENCE_MS = 60_000

const notTried = (reason: string): Visit => ({ isOpen: false, isTried: false, reason })

/**
 * Opens the built portal with the backend and a configuration: signs in, waits for the list of trackers, and counts the pins on the map.
 */
export async function visitPortal(plan: VisitPlan): Promise<Visit> {
  if (!existsSync(path.join(FOLDER, 'index.html'))) return notTried(`there is no built portal in ${FOLDER}; npm run build writes it`)
  const installed = process.env.CHROMIUM_PATH ?? findInstalled()
  if (!installed && !hasOwnChromium(chromium.executablePath())) return notTried('no Chromium is installed; npx playwright install chromium')
  await using host = await startHost(plan)
  await using browser = await chromium.launch({
    ...(installed && { executablePath: installed }),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  try {
    return await signInAndCount(browser, host.origin, plan)
  } catch (error) {
    return { isOpen: false, isTried: true, reason: (error as Error).message.split('\n', 1)[0]! }
  }
}

async function signInAndCount(browser: Browser, origin: string, { as }: VisitPlan): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  // Requests to other hosts, such as map tiles, are blocked.
  await page.route(
    (url) => url.origin !== origin && url.protocol.startsWith('http'),
    (route) => route.abort(),
  )
  if ('token' in as) await page.addInitScript((token) => localStorage.setItem('token', token), as.token)
  await page.goto(origin)
  if ('email' in as) {
    await page.locator('input[autocomplete="username"]').fill(as.email)
    await page.locator('input[type="password"]').fill(as.password)
    await page.locator('form button[type="submit"]').first().click()
  }
  const heading = page.locator('h1', { hasText: /^Trackers \d+$/ })
  const problem = page.getByRole('alert').first()
  await heading.or(problem).first().waitFor()
  if (!(await heading.isVisible())) return { isOpen: false, isTried: true, reason: `the page says: ${(await problem.innerText()).trim()}` }
  const trackers = Number((await heading.innerText()).replace(/\D/g, ''))
  return { isOpen: true, trackers, onMap: await countPins(page) }
}

/** Pins move in and are clustered, so they are counted once two looks in a row find the same number. */
async function countPins(page: Page): Promise<number> {
  await page.locator('.leaflet-container').waitFor()
  // A map without any pin, or one that never rests, is counted as it is in the end.
  await page.waitForFunction(isCountStable, undefined, { polling: LOOK_MS, timeout: STABLE_MS }).catch((error) => {
    if (!(error instanceof errors.TimeoutError)) throw error
  })
  return page.evaluate(() => (globalThis as PinCounter).pins ?? 0)
}

const LOOK_MS = 500
const STABLE_MS = 5000

type PinCounter = typeof globalThis & { pins?: number }

/** Runs inside the page: counts the trackers on the map, those in clusters too. */
function isCountStable() {
  const counter: PinCounter = globalThis
  const before = counter.pins
  const pins = [...document.querySelectorAll('.leaflet-marker-pane button[aria-label]')]
  counter.pins = pins.reduce((sum, { ariaLabel }) => sum + Number(/^(\d+) trackers? here\./.exec(ariaLabel ?? '')?.[1] ?? 1), 0)
  return counter.pins > 0 && counter.pins === before
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const GREY = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#dde4e8"/></svg>',
)
const TILES = { url: `data:image/svg+xml,${GREY}#{z}/{x}/{y}`, attribution: '', maxZoom: 19 }

/** Serves the built portal, and passes its requests on to the backend. */
async function startHost({ base, config }: VisitPlan) {
  const backend = new URL(base)
  const proxy = createProxyServer({ target: backend.origin, changeOrigin: true, cookieDomainRewrite: '' })
  const served = JSON.stringify({ ...config, apiBaseUrl: PREFIX + backend.pathname.replace(/\/$/, ''), tiles: TILES, satellite: undefined })
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    if (pathname.startsWith(`${PREFIX}/`)) {
      request.url = request.url!.slice(PREFIX.length)
      return void proxy.web(request, reply).catch(() => reply.destroy())
    }
    if (pathname === '/config.json') return reply.setHeader('content-type', 'application/json').end(served)
    const wanted = path.join(FOLDER, path.normalize(pathname))
    const file = path.extname(pathname) !== '' && existsSync(wanted) ? wanted : path.join(FOLDER, 'index.html')
    reply.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

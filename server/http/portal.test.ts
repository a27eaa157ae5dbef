import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startHttp } from '#server/test/test-app.ts'
import { PORTAL_CONFIG as config } from '#server/test/test-config.ts'
import type { PortalOptions } from './portal.ts'

const PAGE = '<!doctype html><title>Portal</title>'
/** The `Accept` header of browsers that open a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const SCRIPT = 'console.log("portal")'
let root = ''

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'whereabouts-portal-'))
  mkdirSync(path.join(root, 'assets'))
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(root, name), content)
  write('index.html', PAGE)
  write('index.html.br', brotliCompressSync(PAGE))
  write('icon.svg', '<svg/>')
  write('manifest.webmanifest', '{"name":"Tracker Portal","start_url":"/"}')
  write('build.txt', 'a1b2c3\n')
  write('screen-paths.txt', '/\n/login\n/trackers/:id/history\n/pub/trackers\n/operators/helium/\n/app/native/*\n')
  write('assets/main-1a2b.js', SCRIPT)
  write('assets/main-1a2b.js.br', brotliCompressSync(SCRIPT))
  write('assets/main-1a2b.js.gz', gzipSync(SCRIPT))
})
afterAll(() => rmSync(root, { recursive: true }))

const start = (change: Partial<PortalOptions['config']> = {}, folder = root) =>
  startHttp({ portal: { root: folder, config: { ...config, ...change } } })

describe('static files of the portal', () => {
  test('files with a hash in the name are cached forever, others are revalidated', async () => {
    await using portal = await start()
    const cache = async (url: string) => (await portal.http().get(url)).headers['cache-control']
    expect(await cache('/assets/main-1a2b.js')).toBe('public, max-age=31536000, immutable')
    for (const url of ['/', '/index.html', '/icon.svg', '/config.json']) expect(await cache(url), url).toBe('no-cache')
  })

  test('files with a hash in the name carry only the headers that they need, because a page loads dozens of them', async () => {
    await using portal = await start()
    const { headers } = await portal.app.inject({ url: '/assets/main-1a2b.js', headers: { 'accept-encoding': 'br' } })
    expect(Object.keys(headers).sort()).toEqual([
      'cache-control',
      'connection',
      'content-encoding',
      'content-length',
      'content-type',
      'date',
      'vary',
      'x-content-type-options',
    ])
    const page = (await portal.app.inject({ url: '/' })).headers
    const missing = (await portal.app.inject({ url: '/assets/main-0000.js' })).headers
    const onPages = ['x-frame-options', 'referrer-policy', 'strict-transport-security', 'cross-origin-opener-policy', 'permissions-policy']
    for (const name of [...onPages, 'x-request-id'])
      expect([page[name], missing[name]], name).toEqual([expect.any(String), expect.any(String)])
    expect(page['content-security-policy']).toBeTruthy()
  })

  test('precompressed files are sent for the accepted encoding', async () => {
    await using portal = await start()
    const rows = [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([accepted]) => accepted,
        async ([accepted, sent]) => {
          const { headers, text } = await portal.http().get('/assets/main-1a2b.js').set('accept-encoding', accepted).buffer(true)
          expect([headers['content-encoding'], text]).toEqual([sent, SCRIPT])
          expect(headers['content-type']).toMatch(/^(text|application)\/javascript/)
        },
      ),
    ).toEqual([])
  })

  test('a file with a hash in the name is the same for every origin, so that a browser that preloaded it can import it from its cache', async () => {
    await using portal = await start()
    const { headers } = await portal.http().get('/assets/main-1a2b.js').set('origin', 'https://portal.test')
    expect(headers.vary).toBe('accept-encoding')
  })

  test('a script of an older build returns 404 rather than the page, which would be run as a script', async () => {
    await using portal = await start()
    const { status, body } = await portal.http().get('/assets/main-0000.js')
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test('files outside the portal folder are not served', async () => {
    await using portal = await start()
    const rows = ['/../package.json', '/assets/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd']
    expect(
      await collectFailures(rows, String, async (url) => {
        const response = await portal.app.inject({ url })
        expect(response.body).not.toMatch(/root:|"private"/)
      }),
    ).toEqual([])
  })
})

describe('the page', () => {
  test('R-2.53 paths outside the API return the page, so that the portal can route them', async () => {
    await using portal = await start()
    const screens = [
      '/',
      '/login',
      '/LOGIN/',
      '/trackers/7/history',
      '/pub/trackers?token=abc',
      '//',
      '/operators/helium',
      '/app/native/a/b',
    ]
    const others = ['/nope', '/dev', '/login.bak', '/.env', '/.git/config', '/trackers/7/history/x', '/trackers//history']
    const rows = [...screens.map((url) => [url, 200] as const), ...others.map((url) => [url, 404] as const)]
    expect(
      await collectFailures(
        rows,
        ([url]) => url,
        async ([url, status]) => {
          const response = await portal.app.inject({ url, headers: { accept: BROWSER } })
          expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([status, 'text/html; charset=utf-8', PAGE])
          expect(response.headers['content-security-policy']).toContain("default-src 'self'")
        },
      ),
    ).toEqual([])
  })

  test("a device's report to the address of the portal gets 404 and the correct address, never the page", async () => {
    await using portal = await start()
    const key = '0123456789abcdef'.repeat(3).slice(0, 40)
    const rows = [
      `/?id=${key}&lat=-34.9&lon=-56.15&timestamp=1772441400`,
      '/?id=1000000001',
      '/?lat=-34.9&lon=-56.15',
      '/?imei=490154203237518&batt=80',
      '//?deviceid=7&latitude=-34.9&longitude=-56.15',
      '/index.html?id=7&lat=-34.9&lon=-56.15',
      `/login?id=${key}`,
      '/trackers/7/history?id=7&timestamp=1772441400',
      '/nope?id=7&lat=1&lon=2',
      '/osmand/?device_id=7&alarm=sos',
    ]
    expect(
      await collectFailures(rows, String, async (url) => {
        for (const accept of [BROWSER, '*/*']) {
          const { statusCode, headers, body } = await portal.app.inject({ url, headers: { accept } })
          expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([404, 'text/plain; charset=utf-8', 'no-store'])
          expect(body).toContain('/ingest/osmand')
        }
      }),
    ).toEqual([])
  })

  test('an API call with the same parameter names reaches its own route', async () => {
    await using portal = await start()
    const { statusCode, headers } = await portal.app.inject({ url: '/addresses/nearest/?lat=-34.9&lng=-56.15' })
    expect([statusCode, headers['content-type']]).toEqual([401, 'application/json; charset=utf-8'])
  })

  test("the portal's own links with a query get the page", async () => {
    await using portal = await start()
    const rows = [
      '/?tag=3',
      '/?deeplink=x',
      '/login?view=reset_password&key=abc',
      '/login?id=7',
      '/trackers/7/history?trip=1',
      '/pub/trackers?token=abc',
    ]
    expect(
      await collectFailures(rows, String, async (url) => {
        const { statusCode, body } = await portal.app.inject({ url, headers: { accept: BROWSER } })
        expect([statusCode, body]).toEqual([200, PAGE])
      }),
    ).toEqual([])
  })

  test('an unknown path returns JSON 404 to clients that are not browsers, and so does a screen to clients that want JSON', async () => {
    await using portal = await start()
    const rows = [
      ['/nope', '*/*'],
      ['/.env', 'application/json'],
      ['/login', 'application/json'],
      ['/trackers', 'image/png'],
    ] as const
    expect(
      await collectFailures(rows, String, async ([url, accept]) => {
        const { status, body } = await portal.http().get(url).set('accept', accept)
        expect([status, body.code]).toEqual([404, 'not_found'])
      }),
    ).toEqual([])
    expect((await portal.http().get('/login').set('accept', '*/*')).status).toBe(200)
  })

  test('a browser that opens an unknown path again gets the whole page again', async () => {
    await using portal = await start()
    const etag = String((await portal.http().get('/')).headers.etag)
    for (const condition of [{ 'if-none-match': etag }, { range: 'bytes=0-3' }, { 'if-match': '"x"' }]) {
      const { status, text } = await portal
        .http()
        .get('/nope')
        .set({ accept: BROWSER, ...condition })
      expect([status, text]).toEqual([404, PAGE])
    }
  })

  test('unmet conditions for a file are refused with 412, and invalid ranges with 416', async () => {
    await using portal = await start()
    const rows = [
      [{ range: 'bytes=abc' }, [200, 416]],
      [{ range: 'bytes=999999999-' }, [416]],
      [{ range: 'lines=1-2' }, [200, 416]],
      [{ 'if-match': '"x"' }, [412]],
      [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, [412]],
      [{ 'if-unmodified-since': 'yesterday' }, [200]],
    ] as const
    const urls = ['/login', '/icon.svg', '/assets/main-1a2b.js', '/docs/static/swagger-ui.css']
    expect(
      await collectFailures(
        urls.flatMap((url) => rows.map(([condition, allowed]) => [url, condition, allowed] as const)),
        ([url, condition]) => `${url} ${JSON.stringify(condition)}`,
        async ([url, condition, allowed]) => {
          const { status, body } = await portal.http().get(url).set(condition)
          expect(allowed).toContain(status)
          if (status >= 400) expect(body.code).toBe(status === 412 ? 'precondition_failed' : 'range_not_satisfiable')
        },
      ),
    ).toEqual([])
  })

  test('unknown paths of the API return JSON 404, not the page', async () => {
    await using portal = await start()
    const rows = [
      '/devices/7/nope',
      '/users',
      '/users?x=1',
      '/tracker_places/1/nope',
      '/api/v2',
      '/mock/nothing',
      '/options/x',
      '/docs/nope',
    ]
    expect(
      await collectFailures(rows, String, async (url) => {
        const { status, body } = await portal.http().get(url)
        expect([status, body.code]).toEqual([404, 'not_found'])
      }),
    ).toEqual([])
  })

  test('the page answers HEAD but no other methods', async () => {
    await using portal = await start()
    const head = await portal.http().head('/login')
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const method of ['post', 'put', 'delete'] as const) expect((await portal.http()[method]('/login')).status).toBe(404)
  })

  test("the page's policy allows only its own origin and images of the tile server", async () => {
    await using portal = await start()
    for (const url of ['/', '/login', '/index.html']) {
      const policy = String((await portal.http().get(url)).headers['content-security-policy'])
      const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]))
      expect(Object.fromEntries(rules)).toMatchObject({
        'default-src': "'self'",
        'script-src': "'self'",
        'connect-src': "'self'",
        'img-src': "'self' data: blob: https://*.tiles.example",
        'object-src': "'none'",
        'base-uri': "'none'",
        'form-action': "'self'",
        'frame-ancestors': "'none'",
      })
    }
  })

  test("the page's policy allows the API and tile hosts that are configured, and no others", async () => {
    await using portal = await start({
      apiBaseUrl: 'https://api.example/v1/',
      tiles: { ...config.tiles, url: '/mock/tiles/{z}/{x}/{y}.svg' },
    })
    const policy = String((await portal.http().get('/')).headers['content-security-policy'])
    expect(policy).toContain("connect-src 'self' https://api.example;")
    expect(policy).toContain("img-src 'self' data: blob: https://api.example;")
    await using both = await start({ satellite: { ...config.tiles, url: 'https://sky.example/{z}/{x}/{y}.jpg' } })
    const images = String((await both.http().get('/')).headers['content-security-policy'])
    expect(images).toContain("img-src 'self' data: blob: https://*.tiles.example https://sky.example;")
  })

  test("the page's policy allows Stripe.js only for a foreign API that may return no checkout URL", async () => {
    const apiBaseUrl = 'https://api.example/v1/'
    const payments = { stripeJs: 'https://stripe.example/stripe.js' }
    const findScript = async (change: Partial<PortalOptions['config']>) => {
      await using portal = await start(change)
      const policy = String((await portal.http().get('/')).headers['content-security-policy'])
      return /script-src 'self' (\S+); frame-src \1;/.exec(policy)?.[1]
    }
    expect(await findScript({ payments })).toBeUndefined()
    expect(await findScript({ apiBaseUrl })).toBe('https://js.stripe.com')
    expect(await findScript({ apiBaseUrl, payments })).toBe('https://stripe.example')
    expect(await findScript({ apiBaseUrl, features: ['subscriptions', 'settings'] })).toBe('https://js.stripe.com')
    expect(await findScript({ apiBaseUrl, features: ['settings'] })).toBeUndefined()
  })

  test("the page's policy allows its inline script by its hash", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-portal-'))
    const script = 'fetch("/config.json")'
    writeFileSync(path.join(folder, 'index.html'), `<!doctype html><script>${script}</script><script src="/main.js"></script>`)
    await using portal = await start({}, folder)
    const policy = String((await portal.http().get('/')).headers['content-security-policy'])
    expect(policy).toContain(`script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}';`)
    rmSync(folder, { recursive: true })
  })

  test('the source of the page has no inline scripts or handlers, which its policy would block', () => {
    const source = readFileSync('web/index.html', 'utf8')
    const scripts = [...source.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, text] of scripts) expect([/\ssrc=/.test(attributes!), text]).toEqual([true, ''])
    expect(source).not.toMatch(/\son\w+=|javascript:/)
  })
})

test('the portal is installed under its product name', async () => {
  await using portal = await start()
  const { headers, text } = await portal.http().get('/manifest.webmanifest').buffer(true)
  expect([headers['content-type'], headers['cache-control']]).toEqual(['application/manifest+json; charset=utf-8', 'no-cache'])
  expect(JSON.parse(text)).toEqual({ name: 'Pet Finder', short_name: 'Pet Finder', start_url: '/' })
})

describe('/config.json', () => {
  test('/config.json returns the configuration and the build id', async () => {
    await using portal = await start()
    const { body, type } = await portal.http().get('/config.json')
    expect([type, body]).toEqual(['application/json', { ...config, graceDays: 14, build: 'a1b2c3' }])
  })

  test('/config.json names demo accounts when they are configured', async () => {
    await using portal = await start({ demo: { password: 'p', accounts: ['ada@example.com'] } })
    expect((await portal.http().get('/config.json')).body.demo).toEqual({ password: 'p', accounts: ['ada@example.com'] })
  })

  test('/config.json of a portal without a build id says dev', async () => {
    await using portal = await start({}, path.join(root, 'assets'))
    expect((await portal.http().get('/config.json')).body.build).toBe('dev')
  })
})

test('a server without a portal answers unknown paths with JSON', async () => {
  await using portal = await startHttp()
  const { status, body } = await portal.http().get('/login')
  expect([status, body]).toEqual([404, { detail: 'not found', code: 'not_found' }])
})

test('/.well-known/security.txt says where to report weaknesses, and never expires', async () => {
  await using portal = await start()
  const { headers, text } = await portal.http().get('/.well-known/security.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(text).toBe(
    `Contact: mailto:${config.supportEmail}\nExpires: 2026-08-29T09:00:00Z\nCanonical: http://portal.test/.well-known/security.txt\n`,
  )
})

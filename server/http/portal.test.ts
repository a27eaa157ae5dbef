import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttp } from '#server/test/test-app.ts'
import { PORTAL_CONFIG as config } from '#server/test/test-config.ts'
import type { PortalOptions } from './portal.ts'

const PAGE = '<!doctype html><title>Portal</title>'
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
  write('assets/main-1a2b.js', SCRIPT)
  write('assets/main-1a2b.js.br', brotliCompressSync(SCRIPT))
  write('assets/main-1a2b.js.gz', gzipSync(SCRIPT))
})
afterAll(() => rmSync(root, { recursive: true }))

const start = (change: Partial<PortalOptions['config']> = {}, folder = root) =>
  startHttp({ portal: { root: folder, config: { ...config, ...change } } })

describe('the files of the portal', () => {
  test('those with a hash in their name are kept for good, the others asked for each time', async () => {
    await using portal = await start()
    const cache = async (url: string) => (await portal.http().get(url)).headers['cache-control']
    expect(await cache('/assets/main-1a2b.js')).toBe('public, max-age=31536000, immutable')
    for (const url of ['/', '/index.html', '/icon.svg', '/config.json']) expect(await cache(url), url).toBe('no-cache')
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('are sent as they were compressed beforehand: %s', async (accepted, sent) => {
    await using portal = await start()
    const { headers, text } = await portal.http().get('/assets/main-1a2b.js').set('accept-encoding', accepted).buffer(true)
    expect([headers['content-encoding'], text]).toEqual([sent, SCRIPT])
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript/)
  })

  test('one of an older build is not found: a page in its place would be run as a script', async () => {
    await using portal = await start()
    const { status, body } = await portal.http().get('/assets/main-0000.js')
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test.each(['/../package.json', '/assets/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd'])(
    'nothing beside their folder is served: %s',
    async (url) => {
      await using portal = await start()
      const answer = await portal.app.inject({ url })
      expect(answer.body).not.toMatch(/root:|"private"/)
    },
  )
})

describe('the page', () => {
  test.each(['/', '/login', '/trackers/7/history', '/pub/trackers?token=abc', '/nope', '/orders/', '//', '/dev'])(
    'R-2.53 C-20 answers %s, for the portal to know the route',
    async (url) => {
      await using portal = await start()
      const answer = await portal.app.inject({ url })
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/html; charset=utf-8', PAGE])
    },
  )

  test.each(['/devices/7/nope', '/users', '/users?x=1', '/tracker_places/1/nope', '/api/v2', '/mock/nothing', '/options/x', '/docs/nope'])(
    'C-20 does not answer %s, which is the API’s',
    async (url) => {
      await using portal = await start()
      const { status, body } = await portal.http().get(url)
      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )

  test('is for reading: HEAD finds it, anything that would write does not', async () => {
    await using portal = await start()
    const head = await portal.http().head('/login')
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const method of ['post', 'put', 'delete'] as const) expect((await portal.http()[method]('/login')).status).toBe(404)
  })

  test('may run and load what is of this site, and images of the tile server', async () => {
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

  test('may talk to the API where that is another origin, and to nothing more when the tiles are our own', async () => {
    await using portal = await start({
      apiBaseUrl: 'https://api.example/v1/',
      tiles: { ...config.tiles, url: '/mock/tiles/{z}/{x}/{y}.svg' },
    })
    const policy = String((await portal.http().get('/')).headers['content-security-policy'])
    expect(policy).toContain("connect-src 'self' https://api.example;")
    expect(policy).toContain("img-src 'self' data: blob:;")
    await using both = await start({ satellite: { ...config.tiles, url: 'https://sky.example/{z}/{x}/{y}.jpg' } })
    const images = String((await both.http().get('/')).headers['content-security-policy'])
    expect(images).toContain("img-src 'self' data: blob: https://*.tiles.example https://sky.example;")
  })

  test('C-19 lets the provider’s script run only for an API that may name no checkout: never for our own', async () => {
    const payments = { stripeJs: 'https://js.stripe.com/basil/stripe.js' }
    const policies = [{ payments }, { apiBaseUrl: 'https://api.example/v1/' }, { apiBaseUrl: 'https://api.example/v1/', payments }]
    const lets = async (change: (typeof policies)[number]) => {
      await using portal = await start(change)
      return /script-src 'self' https:\/\/js\.stripe\.com; frame-src https:\/\/js\.stripe\.com;/.test(
        String((await portal.http().get('/')).headers['content-security-policy']),
      )
    }
    expect(await Promise.all(policies.map(lets))).toEqual([false, false, true])
  })

  test('carries no script and no handler of its own, which the policy would stop', () => {
    const source = readFileSync('web/index.html', 'utf8')
    const scripts = [...source.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, text] of scripts) expect([/\ssrc=/.test(attributes!), text]).toEqual([true, ''])
    expect(source).not.toMatch(/\son\w+=|javascript:/)
  })
})

test('the portal is installed under the name of its product', async () => {
  await using portal = await start()
  const { headers, text } = await portal.http().get('/manifest.webmanifest').buffer(true)
  expect([headers['content-type'], headers['cache-control']]).toEqual(['application/manifest+json; charset=utf-8', 'no-cache'])
  expect(JSON.parse(text)).toEqual({ name: 'Pet Finder', short_name: 'Pet Finder', start_url: '/' })
})

describe('/config.json', () => {
  test('tells the portal where things are and which build it is', async () => {
    await using portal = await start()
    const { body, type } = await portal.http().get('/config.json')
    expect([type, body]).toEqual(['application/json', { ...config, build: 'a1b2c3' }])
  })

  test('names demo accounts only where there are some', async () => {
    await using portal = await start({ demo: { password: 'p', accounts: ['ada@example.com'] } })
    expect((await portal.http().get('/config.json')).body.demo).toEqual({ password: 'p', accounts: ['ada@example.com'] })
  })

  test('of a portal without a build number says so', async () => {
    await using portal = await start({}, path.join(root, 'assets'))
    expect((await portal.http().get('/config.json')).body.build).toBe('dev')
  })
})

test('a server without a portal answers JSON for what it does not know', async () => {
  await using portal = await startHttp()
  const { status, body } = await portal.http().get('/login')
  expect([status, body]).toEqual([404, { detail: 'not found', code: 'not_found' }])
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { server, startWorker as start, stores } from './test-worker.ts'
import { listCachedFiles, writeBuildId } from './worker.ts'

const goOffline = () => server.mockRejectedValue(new TypeError('Failed to fetch'))

beforeEach(() => {
  stores.clear()
  server.mockReset().mockImplementation(async (url) => new Response(`fresh ${url}`))
})

test('a page is fetched on every navigation and served from the cache only when offline', async () => {
  const { request, install } = start('a')
  await install()
  expect(await request('/trackers/7', { mode: 'navigate' })).toBe('fresh /trackers/7')
  goOffline()
  expect(await request('/trackers/7', { mode: 'navigate' })).toBe('fresh /')
})

test('on a slow connection the page and the configuration come from the cache after 0.3 seconds; a reload waits longer', async () => {
  const { request, install, dispatch, endWait } = start('a')
  await install()
  await dispatch('message', { data: { language: 'fr' } })
  server.mockImplementation(() => new Promise<never>(() => undefined))
  const page = request('/trackers/7', { mode: 'navigate' })
  expect([await endWait(), await page]).toEqual([300, 'fresh /'])
  const config = request('/config.json', { cache: 'no-cache' })
  expect([await endWait(), await config]).toEqual([300, 'fresh /config.json'])
  void request('/trackers/7', { mode: 'navigate', cache: 'no-cache' })
  expect(await endWait()).toBe(6000)
})

test('a slow server is waited for when the cache is empty', async () => {
  const { request, endWait } = start('a')
  let respond: (answer: Response) => void = () => undefined
  server.mockImplementation(() => new Promise<Response>((resolve) => (respond = resolve)))
  const page = request('/', { mode: 'navigate' })
  await endWait()
  respond(new Response('late'))
  expect(await page).toBe('late')
})

test('the page of the newest build is shown, not that of the previous one', async () => {
  server.mockImplementation(async () => new Response('a'))
  await start('a').install()
  server.mockImplementation(async () => new Response('b'))
  const { request, install } = start('b')
  await install()
  goOffline()
  expect(await request('/', { mode: 'navigate' })).toBe('b')
})

test('the configuration is fetched first and its last version is cached for offline use', async () => {
  const { request, install } = start('a')
  await install()
  expect(await request('/config.json')).toBe('fresh /config.json')
  server.mockImplementation(async () => new Response('later'))
  expect(await request('/config.json')).toBe('later')
  goOffline()
  expect(await request('/config.json')).toBe('later')
})

test("a configuration from the cache does not set the clock, because the server's time in it is outdated", async () => {
  const { request, times, install } = start('a')
  await install()
  const date = 'Mon, 02 Mar 2026 09:00:00 GMT'
  server.mockImplementation(async () => new Response('served', { headers: { date } }))
  await request('/config.json')
  goOffline()
  expect(await request('/config.json')).toBe('served')
  expect(times).toEqual([date, null])
})

test('responses of the API, the mailbox, the docs and other origins are neither cached nor served from the cache', async () => {
  const { request, install } = start('a')
  await install()
  for (const path of ['/devices/?type=tracker', '/users/account/', '/healthz', '/mock/tiles/1/1/1.svg', '/config.json?x=1'])
    expect(await request(path), path).toBeUndefined()
  for (const path of ['/mock/mailbox', '/docs/', '/metrics', '/stripe/pay', '/mail/stop/', '/.well-known/security.txt'])
    expect(await request(path, { mode: 'navigate' }), path).toBeUndefined()
  expect(await request('/assets/index-a.js', { method: 'POST' })).toBeUndefined()
  expect(await request('/assets/index-a.js', { origin: 'https://elsewhere.test' })).toBeUndefined()
})

test('files of the build are cached at install, others on first use, translations in the language in use only', async () => {
  const { request, install, dispatch } = start('a')
  await install()
  await dispatch('message', { data: { language: 'fr' } })
  await request('/assets/late.woff2')
  goOffline()
  for (const path of ['/assets/index-a.js', '/assets/words-fr.js', '/assets/late.woff2']) expect(await request(path)).toBe(`fresh ${path}`)
  expect(await request('/assets/words-de.js')).toBe('no answer')
})

test('a new build is served at once; the files of the previous build remain for open pages, older ones are deleted', async () => {
  for (const build of ['a', 'b', 'c']) await start(build).install()
  expect([...stores.keys()]).toEqual(['build-b', 'build-c'])
  const { request } = start('c')
  server.mockImplementation(async () => new Response('c'))
  expect(await request('/', { mode: 'navigate' })).toBe('c')
  goOffline()
  expect(await request('/assets/index-b.js')).toBe('fresh /assets/index-b.js')
  expect(await request('/assets/index-a.js')).toBe('no answer')
})

test('the cache list holds all files of a build, with the translations listed by language', () => {
  const manifest = {
    'index.html': {
      file: 'assets/index-1.js',
      isEntry: true,
      css: ['assets/index-2.css'],
      assets: ['assets/inter.woff2'],
      dynamicImports: ['../locales/fr/portal.json', '../locales/fr/portal-places.json'],
    },
    '../locales/fr/portal.json': { file: 'assets/words-fr-3.js' },
    '../locales/fr/portal-places.json': { file: 'assets/portal-places-4.js' },
  }
  expect(listCachedFiles(manifest)).toEqual({
    files: ['/assets/index-1.js', '/assets/index-2.css', '/assets/inter.woff2'],
    words: { fr: ['/assets/words-fr-3.js', '/assets/portal-places-4.js'] },
  })
})

test('the cache list has no file that only the console of the operator loads', () => {
  const manifest = {
    'index.html': { file: 'index.js', isEntry: true, imports: ['_shared.js'], dynamicImports: ['app/screens.ts'] },
    'app/screens.ts': { file: 'screens.js', dynamicImports: ['operator/operator-screen.tsx', 'tags/tags-screen.tsx'] },
    'tags/tags-screen.tsx': { file: 'tags.js', imports: ['_table.js'] },
    'operator/operator-screen.tsx': { file: 'operator.js', imports: ['_shared.js'], dynamicImports: ['operator/console.tsx'] },
    'operator/console.tsx': { file: 'console.js', css: ['console.css'], imports: ['index.html', '_table.js', '_session.js'] },
    '../locales/fr/operator.json': { file: 'operator-fr.js' },
    '_shared.js': { file: 'shared.js' },
    '_table.js': { file: 'table.js' },
    '_session.js': { file: 'session.js' },
  }
  expect(listCachedFiles(manifest).files.toSorted()).toEqual(['/index.js', '/screens.js', '/shared.js', '/table.js', '/tags.js'])
})

test('R-2.76 the id of a build changes when its page changes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
  const idOf = (page: string) => {
    writeFileSync(path.join(folder, 'index.html'), page)
    writeBuildId(folder)
    return readFileSync(path.join(folder, 'build.txt'), 'utf8')
  }
  const first = idOf('<script src="/assets/main-1.js"></script>')
  expect(first).toMatch(/^[0-9a-f]{12}\n$/)
  expect(idOf('<script src="/assets/main-1.js"></script>')).toBe(first)
  expect(idOf('<script src="/assets/main-2.js"></script>')).not.toBe(first)
  rmSync(folder, { recursive: true })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { PORTAL_CONFIG as config } from '#server/test/test-config.ts'
import { injectScript } from './inject-script.ts'

const PAGE = '<!doctype html><head><title>Portal</title></head><body></body>'
const WITH = '<!doctype html><head><title>Portal</title><script type="module" src="/extra.js"></script></head><body></body>'
let root = ''

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'whereabouts-inject-'))
  writeFileSync(path.join(root, 'index.html'), PAGE)
  writeFileSync(path.join(root, 'index.html.br'), brotliCompressSync(PAGE))
  writeFileSync(path.join(root, 'help.html'), PAGE)
})
afterAll(() => rmSync(root, { recursive: true }))

const start = () => startPortal({ app: { portal: { root, config }, extend: async (app) => injectScript(app, '/extra.js') } })

test('every page loads the script, even when a compressed or partial file is requested', async () => {
  await using portal = await start()
  const rows = ['/', '/login', '/trackers/7?tab=1', '/index.html']
  expect(
    await collectFailures(rows, String, async (url) => {
      for (const headers of [{}, { 'accept-encoding': 'br' }, { range: 'bytes=0-9' }]) {
        const answer = await portal.app.inject({ url, headers })
        expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([200, WITH, undefined])
        expect(answer.headers['content-length']).toBe(String(WITH.length))
        expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
      }
    }),
  ).toEqual([])
})

test('an unchanged page is answered with 304, and a cached page without the script is sent again', async () => {
  await using portal = await start()
  const { etag, 'cache-control': cache, 'last-modified': modified } = (await portal.app.inject({ url: '/' })).headers
  expect([cache, modified]).toEqual(['no-cache', undefined])
  const again = await portal.app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  for (const headers of [{ 'if-none-match': 'W/"other"' }, { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }])
    expect((await portal.app.inject({ url: '/', headers })).body).toBe(WITH)
})

test('HEAD announces no length other than that of the page', async () => {
  await using portal = await start()
  const { statusCode, headers, body } = await portal.app.inject({ method: 'HEAD', url: '/' })
  expect([statusCode, body, headers['content-type']]).toEqual([200, '', 'text/html; charset=utf-8'])
  expect([undefined, '0', String(WITH.length)]).toContain(headers['content-length'])
})

test('other HTML files and API errors are left unchanged', async () => {
  await using portal = await start()
  const other = await portal.app.inject({ url: '/help.html' })
  expect([other.statusCode, other.body]).toEqual([200, PAGE])
  const unknown = await portal.app.inject({ url: '/devices/7/nope' })
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppOptions } from '#server/app.ts'
import { startDemo } from '#server/mock/demo/test-demo.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { PORTAL_CONFIG as config } from '#server/test/test-config.ts'
import { servePanel } from './serve.ts'

const SRC = '/mock/panel/panel.js'
const SCRIPT = 'start()'
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-panel-'))
  mkdirSync(path.join(folder, 'web'))
  mkdirSync(path.join(folder, 'panel'))
  writeFileSync(path.join(folder, 'secret.js'), 'secret')
  writeFileSync(path.join(folder, 'panel/panel.js'), SCRIPT)
  writeFileSync(path.join(folder, 'web/index.html'), '<!doctype html><head></head>')
})
afterAll(() => rmSync(folder, { recursive: true }))

const start = (extend: AppOptions['extend']) => startPortal({ app: { portal: { root: path.join(folder, 'web'), config }, extend } })
const withPanel = () => start(async (app) => servePanel(app, path.join(folder, 'panel')))

test('every page of the portal on the local stack loads the panel', async () => {
  await using portal = await withPanel()
  expect((await portal.app.inject({ url: '/trackers/7' })).body).toContain(`<script type="module" src="${SRC}">`)
  const script = await portal.app.inject({ url: SRC })
  expect([script.statusCode, script.body, script.headers['content-type']]).toEqual([200, SCRIPT, 'text/javascript; charset=utf-8'])
})

test('a browser with a current copy of the script gets 304', async () => {
  await using portal = await withPanel()
  const { etag } = (await portal.app.inject({ url: SRC })).headers
  const again = await portal.app.inject({ url: SRC, headers: { 'if-none-match': String(etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test("files other than the panel's scripts are not served", async () => {
  await using portal = await withPanel()
  for (const url of ['/mock/panel/none.js', '/mock/panel/..%2Fsecret.js', '/mock/panel/style.css', '/mock/panel/']) {
    const answer = await portal.app.inject({ url })
    expect([answer.statusCode, answer.json().code], url).toEqual([404, 'not_found'])
  }
})

test('production does not serve the panel', async () => {
  await using portal = await start(async () => undefined)
  expect((await portal.app.inject({ url: '/' })).body).not.toContain('panel')
  expect((await portal.app.inject({ url: SRC })).statusCode).toBe(404)
})

test('the public demo has no panel', async () => {
  await using demo = await startDemo()
  const { call } = await demo.visit()
  const page = await call('/trackers')
  expect(page.text).toContain('/demo/bar.js')
  expect(page.text).not.toContain('panel')
  expect((await call(SRC)).status).toBe(404)
})

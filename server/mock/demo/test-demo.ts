import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { City } from '#server/mock/city/index.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createVirtualClock } from '#server/mock/lib/virtual-clock.ts'
import { createTemplates, type Templates } from '#server/mock/worlds/templates.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { createDemoStack } from './demo.ts'
import { ROOM } from './limits.ts'

let shared: { templates: Templates; city: City } | undefined
const log = { info() {}, warn() {}, error() {} }
type Asked = { method?: string; headers?: Record<string, string>; body?: unknown; ip?: string }

/** Starts the public demo in process, on a wall clock that moves only with `wait`. */
export async function startDemo(env: Record<string, string> = {}, room = ROOM) {
  const data = mkdtempSync(path.join(tmpdir(), 'whereabouts-demo-'))
  const wall = createVirtualClock({ now: () => ANCHOR }, { at: ANCHOR, mode: 'frozen' })
  shared ??= await readShared()
  const { city, templates } = shared
  const config = readConfig({ MODE: 'demo', PORTAL_ORIGIN: 'http://demo.test', DATA_DIR: data, ...env })
  const stack = createDemoStack(config, { log, wall, city, templates, room })
  const root = path.join(data, 'web')
  mkdirSync(root)
  writeFileSync(path.join(root, 'index.html'), '<!doctype html><head></head>')
  const tiles = { url: '', attribution: '', maxZoom: 19 }
  const page = {
    root,
    config: { apiBaseUrl: '', productName: 'Whereabouts', supportEmail: 'help@example.com', tiles },
  }
  const routes: { method: string; url: string }[] = []
  const app = await buildApp({
    worlds: stack.worlds,
    rateLimits: false,
    trustProxy: config.TRUST_PROXY ?? false,
    portal: page,
    async extend(server) {
      server.addHook('onRoute', ({ method, url }) => void routes.push(...[method].flat().map((one) => ({ method: one, url }))))
      await stack.extend(server)
    },
  })
  await app.ready()

  async function ask(url: string, { method = 'GET', headers = {}, body, ip = '203.0.113.7' }: Asked = {}) {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'demo.test', ...headers },
      remoteAddress: ip,
      ...(body !== undefined && { payload: body as object }),
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      cookies: answer.cookies,
      text: answer.body,
      body: isJson ? answer.json() : undefined,
    }
  }

  /** Follows a link as a visitor and returns what they can do afterwards. */
  async function visit(url = '/?demo=family&as=alice', { ip, headers: sent }: Asked = {}) {
    const entered = await ask(url, { ...(ip && { ip }), ...(sent && { headers: sent }) })
    const world = entered.cookies.find(({ name }) => name === '__world')?.value ?? ''
    const cookie = `__world=${world}`
    const code = new URL(String(entered.headers.location), 'http://demo.test').searchParams.get('hand_off')
    const redeem = { method: 'POST', body: { hand_off: code }, headers: { cookie }, ...(ip && { ip }) }
    const token: string = code === null ? '' : (await ask('/api/v1/auth/hand_off/redeem/', redeem)).body.token
    const call = (path: string, { headers = {}, ...asked }: Asked = {}) =>
      ask(path, { ...(ip && { ip }), ...asked, headers: { cookie, ...(token && { authorization: `Bearer ${token}` }), ...headers } })
    return { ...entered, world, cookie, token, call }
  }

  return {
    ...stack,
    app,
    ask,
    visit,
    wall,
    routes,
    wait: (ms: number) => wall.set({ at: new Date(wall.now().getTime() + ms) }),
    async [Symbol.asyncDispose]() {
      await app.close()
      stack.worlds.closeAll()
      rmSync(data, { recursive: true })
    },
  }
}

async function readShared() {
  const city = await openTestCity()
  const templates = createTemplates(city, '.cache/worlds/demo')
  templates.add({ anchor: ANCHOR, seed: 1, scenario: 'family' }, await readFile(templateFile()))
  return { city, templates }
}

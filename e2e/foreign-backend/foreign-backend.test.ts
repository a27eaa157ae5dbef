import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { BACKENDS, type BackendName } from './habits.ts'
import { type ForeignBackend, startForeignBackend } from './server.ts'
import { PASSWORD } from './state.ts'

type Asked = { method?: string; body?: unknown; token?: string; scheme?: string }

/** Sends one request; a JSON body is parsed. */
async function ask(backend: ForeignBackend, path: string, { method = 'GET', body, token, scheme = backend.habits.scheme }: Asked = {}) {
  const response = await fetch(new URL(path, backend.baseUrl), {
    method,
    redirect: 'manual',
    headers: { ...(token && { authorization: `${scheme} ${token}` }), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const trySignIn = (backend: ForeignBackend, username: string, password = PASSWORD) =>
  ask(backend, 'api/v1/auth/web_get_token/', { method: 'POST', body: { username, password } })

async function signIn(backend: ForeignBackend, username = 'ada@example.org') {
  const { body } = await trySignIn(backend, username)
  return (body.data ?? body).token as string
}

test('the drf backend writes ten trackers a page, decimals as text and times with microseconds', async () => {
  await using backend = await startForeignBackend('drf', { now: () => new Date('2026-03-02T08:00:00Z') })
  const token = await signIn(backend)
  const first = await ask(backend, 'devices/?type=tracker', { token })
  expect(first.body).toMatchObject({ count: 16, previous: null, next: `${backend.baseUrl}devices/?type=tracker&page=2` })
  expect(first.body.results).toHaveLength(10)
  expect(first.body.results.slice(0, 2).map((one: { name: string }) => one.name)).toEqual(['New collar', 'New tracker'])
  const second = await ask(backend, 'devices/?type=tracker&page=2', { token })
  const all = [...first.body.results, ...second.body.results]
  expect(second.body.next).toBeNull()
  expect(all.find(({ name }) => name === 'Rex')).toMatchObject({
    id: 101,
    last_position: { latitude: '48.855643', longitude: '2.358921', accuracy: 10, timestamp: '2026-03-02T08:59:00.000417+01:00' },
    tracker_config: { board_name: 'STD_04', usage: 'dog' },
    tracker_status: { sub_state: 'active', battery: 84 },
  })
})

test('the geojson backend returns a plain list with UUIDs and points, and accepts Bearer only', async () => {
  await using backend = await startForeignBackend('geojson')
  const token = await signIn(backend)
  expect(await ask(backend, 'devices/', { token, scheme: 'Token' })).toMatchObject({ status: 401 })
  const { body } = await ask(backend, 'devices/', { token })
  expect(body).toHaveLength(16)
  const rex = body.find(({ name }: { name: string }) => name === 'Rex')
  expect(rex.id).toMatch(/^[0-9a-f-]{36}$/)
  expect(rex.location).toEqual({ type: 'Point', coordinates: [2.358921, 48.855643] })
})

test('the offset backend returns its internal host in links, and lets a client request larger pages', async () => {
  await using backend = await startForeignBackend('offset')
  const token = await signIn(backend)
  const { body } = await ask(backend, 'devices/?type=tracker', { token })
  expect(body.next).toBe('http://portal-backend:8000/devices/?type=tracker&limit=10&offset=10')
  expect((await ask(backend, 'devices/?limit=50', { token })).body.results).toHaveLength(16)
  const seen = body.results.find(({ latitude }: { latitude: number | null }) => latitude !== null)
  expect(seen).toMatchObject({ latitude: expect.any(Number), longitude: expect.any(Number), last_seen: expect.any(Number) })
  expect((await fetch(`${backend.origin}/devices/`)).status).toBe(404)
})

test('the envelope backend wraps responses, pages by cursor and rejects an expired session with 403', async () => {
  await using backend = await startForeignBackend('envelope')
  const token = await signIn(backend)
  const names: string[] = []
  for (let path: string | null = 'devices/'; path; ) {
    const { body } = await ask(backend, path, { token })
    names.push(...body.data.results.map((one: { name: string }) => one.name))
    path = body.data.next
  }
  expect(new Set(names).size).toBe(16)
  backend.state.sessions.clear()
  expect(await ask(backend, 'devices/', { token })).toMatchObject({ status: 403, body: { errors: [{ detail: 'Invalid token.' }] } })
})

test("a wrong password is rejected in each backend's own form, and too many of them with 429", async () => {
  const statuses = { drf: 400, geojson: 401, offset: 401, envelope: 401 } satisfies Record<BackendName, number>
  for (const [name, status] of Object.entries(statuses)) {
    await using backend = await startForeignBackend(name as BackendName, { habits: { signInsPerMinute: 1 } })
    expect((await trySignIn(backend, 'ada@example.org', 'wrong')).status).toBe(status)
    const throttled = await trySignIn(backend, 'ada@example.org')
    expect(throttled.status).toBe(429)
    expect(throttled.headers.get('retry-after')).toBe('60')
    expect(throttled.headers.get('access-control-expose-headers')).toBeNull()
  }
})

test('a code links a subscription once, and an unknown code is rejected', async () => {
  await using backend = await startForeignBackend('drf')
  const token = await signIn(backend)
  const link = (code: string) => ask(backend, `devices/114/activate_subscription/?code=${code}`, { token })
  expect(await link('nothing')).toMatchObject({ status: 404, body: { detail: 'No subscription is linked to this code.' } })
  expect(await link('4f-77')).toMatchObject({ status: 200, body: { id: 114, tracker_status: { sub_state: 'active' } } })
  expect((await link('4f-77')).status).toBe(404)
})

test('wrong serial numbers use up three attempts and then lock the tracker', async () => {
  await using backend = await startForeignBackend('drf')
  const token = await signIn(backend)
  const unlink = (serial_number: string) =>
    ask(backend, 'devices/trackers/unlink_request/', { method: 'POST', token, body: { device: 117, serial_number } })
  const { serial } = backend.state.trackers.find(({ id }) => id === 117)!
  expect(await unlink('00000000-00')).toMatchObject({ status: 400, body: { remaining_attempts: 2 } })
  expect((await unlink(`${serial.slice(0, 8)}-${serial.slice(8)}`)).status).toBe(201)
  expect(await unlink('00000000-00')).toMatchObject({ body: { remaining_attempts: 1 } })
  expect(await unlink('00000000-00')).toMatchObject({ status: 403, body: { remaining_attempts: 0 } })
  expect((await unlink(serial)).status).toBe(403)
})

test('the token of a public link lists that tracker only, until the link is removed', async () => {
  await using backend = await startForeignBackend('drf')
  const token = await signIn(backend)
  const made = await ask(backend, 'devices/101/public_share_link/', { method: 'POST', token, body: { label: 'For the vet' } })
  expect(made).toMatchObject({ status: 201, body: { label: 'For the vet', permanent: true, end_date: null } })
  const visitor = { token: made.body.uuid as string }
  expect((await ask(backend, 'devices/?type=tracker', visitor)).body.results).toMatchObject([{ name: 'Rex' }])
  expect((await ask(backend, 'users/me/', visitor)).status).toBe(403)
  expect((await ask(backend, `tracker_public_share_links/${made.body.uuid}/`)).status).toBe(401)
  expect((await ask(backend, `tracker_public_share_links/${made.body.uuid}/`, { method: 'DELETE', token })).status).toBe(204)
  expect((await ask(backend, 'devices/?type=tracker', visitor)).status).toBe(401)
})

test('a sixth public link of a tracker is refused', async () => {
  await using backend = await startForeignBackend('geojson')
  const token = await signIn(backend)
  const [{ id }] = (await ask(backend, 'devices/', { token })).body
  const create = () => ask(backend, `devices/${id}/public_share_link/`, { method: 'POST', token, body: {} })
  for (let count = 0; count < 5; count++) expect((await create()).status).toBe(201)
  expect((await create()).status).toBe(400)
})

test('a paid session of a plan starts the subscription of its tracker', async () => {
  await using backend = await startForeignBackend('drf')
  const token = await signIn(backend)
  const [plan] = (await ask(backend, 'users/tracker_prices')).body
  expect(plan).toMatchObject({ type: 'recurring', unit_amount: 599, recurring: { interval: 'month', interval_count: 1 } })
  const session = await ask(backend, 'users/payment_session/', { method: 'POST', token, body: { tracker: 110, items: [plan.id] } })
  expect(Object.keys(session.body)).toEqual(['public_key', 'id'])
  expect(backend.state.trackers.find(({ id }) => id === 110)?.subState).toBe('ended')
  await ask(backend, 'webhooks/card-provider/', { method: 'POST', body: { data: { object: { id: session.body.id } } } })
  expect(backend.state.trackers.find(({ id }) => id === 110)?.subState).toBe('active')
})

test('a taken e-mail address is rejected at its field, and a deleted account cannot sign in', async () => {
  await using backend = await startForeignBackend('drf')
  const register = (email: string) => ask(backend, 'users/register', { method: 'POST', body: { email, password: PASSWORD } })
  expect(await register('ada@example.org')).toMatchObject({ status: 400, body: { email: ['user with this email already exists.'] } })
  expect((await register('nina@example.org')).status).toBe(201)
  const token = await signIn(backend, 'nina@example.org')
  expect((await ask(backend, 'users/me/?profile=all', { method: 'DELETE', token })).status).toBe(204)
  expect((await trySignIn(backend, 'nina@example.org')).status).toBe(400)
})

test('an unspecified address is an HTML page with 404, and one without its slash is redirected', async () => {
  await using backend = await startForeignBackend('drf')
  const token = await signIn(backend)
  const missing = await ask(backend, 'tracker_places/', { token })
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  const moved = await ask(backend, 'devices?type=tracker', { token })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/devices/?type=tracker'])
})

test('a cut response loses only the response: the state has changed and the journal has the request', async () => {
  await using backend = await startForeignBackend('drf', { faults: { cut: 'POST /devices/112/activate' } })
  const token = await signIn(backend)
  const activate = () => ask(backend, 'devices/112/activate/', { method: 'POST', token })
  await expect(activate()).rejects.toThrow()
  expect(backend.journal.filter(({ path }) => path === '/devices/112/activate/')).toMatchObject([{ method: 'POST', status: 204 }])
  expect((await activate()).status).toBe(400)
})

test('a failed page, a large fleet and an outage with Retry-After are switched on by options', async () => {
  await using backend = await startForeignBackend('offset', { trackers: 10_000, faults: { failedPage: 3 } })
  const token = await signIn(backend)
  const page = (offset: number) => ask(backend, `devices/?limit=100&offset=${offset}`, { token })
  expect((await page(0)).body).toMatchObject({ count: 9998, results: { length: 100 } })
  expect((await page(200)).status).toBe(500)
  backend.faults.unavailable = 1
  const down = await page(0)
  expect([down.status, down.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await page(0)).status).toBe(200)
})

test.each(Object.keys(BACKENDS))('the backend %s starts as a process with the portal in front of it', async (name) => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'e2e/foreign-backend/main.ts', name, '--port=0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    let said = ''
    for await (const part of child.stdout) {
      said += part
      if (said.includes('Sign in')) break
    }
    const base = /Backend\s+(\S+)/.exec(said)![1]!
    const portal = /Portal\s+(\S+)/.exec(said)![1]!
    expect(await (await fetch(`${portal}/config.json`)).json()).toMatchObject({ apiBaseUrl: base })
    expect((await fetch(`${base}users/tracker_prices`)).status).toBe(200)
  } finally {
    child.kill()
    await ended
  }
})

import { beforeAll, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { failsOnce, nothingForChanges, slow } from './answer-habits.ts'
import { backends } from './backends.ts'
import type { Habit } from './habit.ts'
import { pagesWithResults } from './shape-habits.ts'
import { startStandIn } from './stand-in.ts'
import { idsAsUuids, toUuid } from './value-habits.ts'

let upstream: string
let token: string

beforeAll(async () => {
  const portal = await startPortal()
  upstream = await portal.app.listen({ host: '127.0.0.1', port: 0 })
  token = await portal.token('alice@example.com')
  return () => portal[Symbol.asyncDispose]()
})

async function startClient(habits: readonly Habit[]) {
  const standIn = await startStandIn(habits, { upstream })
  const send = async (
    path: string,
    { method = 'GET', json, scheme = 'Bearer' }: { method?: string; json?: object; scheme?: string } = {},
  ) => {
    const response = await fetch(path.startsWith('http') ? path : standIn.origin + path, {
      method,
      headers: { authorization: `${scheme} ${token}`, origin: 'http://portal.test', ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  return { ...standIn, send }
}

test('a stand-in without deviations responds like the mock server', async () => {
  await using backend = await startClient([])
  const { status, headers, body } = await backend.send('/devices/?type=tracker')
  const direct = await fetch(`${upstream}/devices/?type=tracker`, { headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(200)
  expect(body).toEqual(await direct.json())
  expect(headers.get('date')).toBe(direct.headers.get('date'))
  expect(headers.get('access-control-allow-origin')).toBe('http://portal.test')
})

test('a browser may send any request to a stand-in', async () => {
  await using backend = await startClient([])
  const response = await fetch(`${backend.origin}/devices/1/`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'authorization' },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
  expect(response.headers.get('access-control-allow-headers')).toBe('authorization')
})

test('the pages of a list link to each other and contain the whole list', async () => {
  await using backend = await startClient([pagesWithResults(5)])
  const ids: number[] = []
  for (let path: string | null = '/devices/?type=tracker'; path; ) {
    const { body } = await backend.send(path)
    ids.push(...body.results.map(({ id }: { id: number }) => id))
    expect(body.count).toBe(18)
    path = body.next
  }
  expect(new Set(ids).size).toBe(18)
})

test('UUIDs of a response find the same objects in later requests', async () => {
  await using backend = await startClient([idsAsUuids])
  const { body } = await backend.send(`/devices/${toUuid(1)}/`)
  expect(body).toMatchObject({ id: toUuid(1), name: 'Rex' })
  const made = await backend.send('/tracker_alerts/', {
    method: 'POST',
    json: { devices: [body.id], contacts: [toUuid(1)], place: toUuid(1), trigger: 'enter' },
  })
  expect(made).toMatchObject({ status: 201, body: { devices: [toUuid(1)] } })
})

test('a change with an empty response has happened', async () => {
  await using backend = await startClient([nothingForChanges])
  expect(await backend.send('/devices/1/', { method: 'PATCH', json: { name: 'Rexie' } })).toMatchObject({ status: 204, body: '' })
  expect((await backend.send('/devices/1/')).body.name).toBe('Rexie')
  await backend.send('/devices/1/', { method: 'PATCH', json: { name: 'Rex' } })
})

test('files and uploads pass unchanged', async () => {
  await using backend = await startClient(backends.djangoRestFramework)
  const csv = await backend.send('/devices/1/tracker_data/export_csv/')
  expect(csv.headers.get('content-type')).toContain('text/csv')
  expect(csv.body).toContain('latitude')
})

test('a live stream is passed on while it is open', async () => {
  await using backend = await startClient(backends.nextYear)
  const response = await fetch(`${backend.origin}/devices/live/`, { headers: { authorization: `Bearer ${token}`, 'last-event-id': '0' } })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body!.getReader()
  expect((await reader.read()).value!.length).toBeGreaterThan(0)
  await reader.cancel()
})

test('the first request fails and the second one succeeds, slowly', async () => {
  await using backend = await startClient([failsOnce(429), slow(50)])
  const before = performance.now()
  expect(await backend.send('/tracker_tags/')).toMatchObject({ status: 429, body: { detail: 'Try again later.' } })
  expect((await backend.send('/tracker_tags/')).status).toBe(200)
  expect(performance.now() - before).toBeGreaterThan(90)
})

test('every composed backend differs from the mock server and still responds', async () => {
  const plain = JSON.stringify(await (await fetch(`${upstream}/tracker_places/`, { headers: { authorization: `Bearer ${token}` } })).json())
  for (const [name, habits] of Object.entries(backends)) {
    await using backend = await startClient(habits)
    const { status, body } = await backend.send('/tracker_places/')
    expect(status, name).toBe(name.startsWith('documentedOnly') ? 404 : 200)
    expect(JSON.stringify(body), name).not.toBe(plain)
    expect((await backend.send('/devices/?type=tracker')).status, name).toBe(200)
  }
})

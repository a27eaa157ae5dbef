import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contracts/index.ts'
import type { Route } from '#contracts/lib/route.ts'
import type { Feature } from '#contracts/reader/features.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type ClientPorts, createClient, openStream } from '#web/lib/api/api.ts'
import { setConfig } from '#web/lib/config.ts'
import { session } from '#web/lib/session.ts'
import { CONFIG } from '#web/test/sample-config.ts'
import { SAMPLE_AT } from '#web/trackers/sample-device.ts'
import { hasFeature, listUnknownFeatures, markMissing, orMissing } from './features.ts'
import { noteMissing, READABLE } from './missing-calls.ts'

beforeEach(() => setConfig(CONFIG))
afterEach(() => session.forget())

const listed = async () => [{ id: 7 }]
const refuse = (route: Route, status: number, more: { code?: string; isPage?: boolean; ask?: () => Promise<unknown> } = {}) =>
  noteMissing(route, { params: { id: 7 } }, { status, code: more.code ?? '', isPage: more.isPage ?? false }, more.ask ?? listed)

test('a rejection reveals a missing feature only if it cannot be about an object', async () => {
  const gone = async () => [{ id: 8 }]
  const rows: [Feature, Route, number, boolean, Parameters<typeof refuse>[2]?][] = [
    ['places', api.places.list, 404, true],
    ['places', api.places.create, 404, true],
    ['places', api.places.update, 404, false],
    ['places', api.places.update, 404, false, { isPage: true }],
    ['places', api.places.update, 405, false],
    ['places', api.places.create, 501, false],
    ['places', api.places.list, 405, true],
    ['boost', api.devices.boost, 405, true],
    ['places', api.places.list, 501, true],
    ['places', api.places.list, 200, true, { isPage: true }],
    ['places', api.places.list, 500, false],
    ['places', api.places.list, 403, false],
    ['places', api.places.importCsv, 404, false],
    ['placeImport', api.places.importCsv, 404, true],
    ['placeImport', api.places.list, 404, true],
    ['history', api.positions.history, 404, true],
    ['history', api.positions.history, 404, false, { ask: gone }],
    ['history', api.positions.exportCsv, 404, false],
    ['exportCsv', api.positions.exportCsv, 404, true],
    ['exportCsv', api.positions.history, 404, true],
    ['links', api.links.listOf, 404, false],
    ['links', api.links.listOf, 404, true, { isPage: true }],
    ['links', api.links.create, 404, true],
    ['links', api.links.list, 404, false],
    ['accountLinks', api.links.list, 404, true],
    ['links', api.links.read, 404, false],
    ['deviceKeys', api.deviceKeys.list, 404, true],
    ['deviceKeys', api.deviceKeys.remove, 404, false],
    ['theftReports', api.theft.read, 404, false, { code: 'no_report' }],
    ['theftReports', api.theft.read, 404, true, { code: 'not_found' }],
    ['theft', api.theft.form, 404, true],
    ['modes', api.devices.setMode, 404, true],
    ['modes', api.devices.config, 404, false],
    ['sct2', api.sct2.update, 404, false],
    ['trackerRemoval', api.trackers.remove, 404, true],
    ['trackerRemoval', api.trackers.remove, 404, false, { ask: gone }],
    ['trackerChange', api.trackers.remove, 405, false],
    ['trackers', api.trackers.add, 404, true],
    ['conflicts', api.conflicts.requestUnlink, 404, false],
    ['conflicts', api.conflicts.requestUnlink, 404, true, { isPage: true }],
    ['conflicts', api.conflicts.requestUnlink, 404, false, { isPage: true, code: 'unknown_tracker' }],
    ['serialChecks', api.serialChecks.read, 404, false],
    ['serialChecks', api.serialChecks.check, 501, true],
    ['orders', api.orders.read, 404, false],
    ['orders', api.orders.list, 404, true],
    ['live', api.positions.live, 404, true],
  ]
  expect(
    await collectFailures(
      rows,
      ([feature, { method, path }, status, , more]) => `${feature}: ${method} ${path} ${status} ${JSON.stringify(more)}`,
      async ([feature, route, status, isMissing, more]) => {
        session.forget()
        await refuse(route, status, more)
        expect(hasFeature(feature)).toBe(!isMissing)
      },
    ),
  ).toEqual([])
})

const SPECIFIED = ['sessions', 'users', 'devices', 'positions']
/** Groups that backends have together with another one. */
const TOGETHER: Record<string, Feature> = {
  batteryAlerts: 'batteryAlert',
  data: 'import',
  myData: 'dataCopy',
  factorSignIn: 'passkeys',
  networkKeys: 'networkNumbers',
  recentSignIn: 'sessionList',
  security: 'sessionList',
  phoneTrackers: 'phones',
  uplinkMappings: 'networkNumbers',
}

test('every group of the contract is a feature, except those that every backend has', async () => {
  for (const [name, group] of Object.entries(api)) {
    if (SPECIFIED.includes(name)) continue
    await Promise.all(Object.values(group).map((route) => refuse(route, 501)))
    expect(hasFeature(TOGETHER[name] ?? (name as Feature)), name).toBe(false)
  }
})

test('a readable feature is hidden only when a GET is rejected', async () => {
  const wrong: string[] = []
  for (const route of Object.values(api).flatMap((group): Route[] => Object.values(group))) {
    session.forget()
    await refuse(route, 501)
    const hidden = [...READABLE].filter((name) => !hasFeature(name))
    if (route.method !== 'GET' && hidden.length > 0) wrong.push(`${route.method} ${route.path} hides ${hidden}`)
  }
  expect(wrong).toEqual([])
})

test('missing features are forgotten at sign-out', () => {
  markMissing('tags')
  expect([hasFeature('tags'), hasFeature('places')]).toEqual([false, true])
  session.end()
  expect(hasFeature('tags')).toBe(true)
})

test('a list in the configuration takes precedence', () => {
  setConfig({ ...CONFIG, features: ['links'] })
  markMissing('links')
  expect([hasFeature('links'), hasFeature('places'), hasFeature(undefined)]).toEqual([true, false, true])
})

test('unknown feature names in the configuration are listed', () => {
  expect(listUnknownFeatures()).toEqual([])
  setConfig({ ...CONFIG, features: ['links', 'alert', 'devices'] })
  expect(listUnknownFeatures()).toEqual(['alert'])
})

test('optional data is neutral once its feature is missing, and is not requested again', async () => {
  const ask = vi.fn(async () => {
    markMissing('tags')
    throw new Error('404')
  })
  expect(await orMissing<string[]>('tags', ask, [])).toEqual([])
  expect(await orMissing<string[]>('tags', ask, [])).toEqual([])
  expect(ask).toHaveBeenCalledOnce()
  await expect(orMissing<string[]>('places', () => Promise.reject(new Error('500')), [])).rejects.toThrow('500')
})

function outside(fetch: ClientPorts['fetch']) {
  const ports: ClientPorts = {
    base: 'https://api.test/',
    fetch,
    token: () => null,
    cookies: () => '',
    log: { failure: vi.fn() },
    onLeave: vi.fn(),
  }
  return { ports, make: () => ports }
}
const page = () => new Response('<!doctype html><title>Portal</title>', { headers: { 'content-type': 'text/html' } })

test('an HTML page instead of JSON means that the backend does not have the call', async () => {
  const { make, ports } = outside(async () => page())
  await expect(createClient(api.tags, make).list()).rejects.toMatchObject({ status: 200, code: 'unreadable' })
  expect(hasFeature('tags')).toBe(false)
  await openStream(api.positions.live, { signal: AbortSignal.timeout(1000) }, ports)
  expect(hasFeature('live')).toBe(false)
})

test('a 404 about a tracker counts only while the tracker is in the list', async () => {
  const { make } = outside(async (url) => (String(url).includes('tracker_data') ? new Response('', { status: 404 }) : Response.json([])))
  const ask = () => createClient(api.positions, make).history({ params: { id: 7 }, query: { not_before: SAMPLE_AT.toISOString() } })
  await expect(ask()).rejects.toMatchObject({ status: 404, code: 'not_found' })
  expect(hasFeature('history')).toBe(true)
})

test('a failing list of trackers redirects no one', async () => {
  const { make, ports } = outside(async (url) =>
    String(url).includes('tracker_data') ? new Response('', { status: 404 }) : new Response('', { status: 401 }),
  )
  await expect(createClient(api.positions, make).history({ params: { id: 7 }, query: {} })).rejects.toMatchObject({ status: 404 })
  expect(ports.onLeave).not.toHaveBeenCalled()
  expect(hasFeature('history')).toBe(true)
})

import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { ConfigError, loadConfig, parseConfig } from './config.ts'

const tiles = { url: '/t/{z}/{x}/{y}.svg', attribution: '© OSM', maxZoom: 19 }
const faultsOf = (raw: unknown) => {
  try {
    parseConfig(raw)
    return null
  } catch (error) {
    return error instanceof ConfigError ? error.faults : error
  }
}

test('R-7.23 the API host and the rest are read from the file', () => {
  const config = parseConfig({ apiBaseUrl: 'https://api.example.com/', productName: 'Fleet', tiles, build: '7', unknown: 1 })
  expect(config).toEqual({ apiBaseUrl: 'https://api.example.com/', productName: 'Fleet', tiles, build: '7' })
})

test('the product has a default name when the file has none', () => {
  expect(parseConfig({ tiles })).toMatchObject({ productName: 'Tracker Portal', apiBaseUrl: '', build: '' })
})

test('an invalid configuration is refused with each field and reason', async () => {
  expect(
    await collectFailures(
      [
        [{}, [{ field: 'tiles', reason: 'missing' }]],
        [{ tiles: { ...tiles, url: 5 } }, [{ field: 'tiles.url', reason: 'unusable' }]],
        [{ tiles: { attribution: '', maxZoom: 19 } }, [{ field: 'tiles.url', reason: 'missing' }]],
        [{ tiles, apiBaseUrl: 'api.example.com' }, [{ field: 'apiBaseUrl', reason: 'unusable' }]],
        [{ tiles, supportForm: 'javascript://%0aalert(1)' }, [{ field: 'supportForm', reason: 'unusable' }]],
        [{ tiles, apps: { track: { open: 'javascript:alert(1)' } } }, [{ field: 'apps.track.open', reason: 'unusable' }]],
        [{ tiles, satellite: { ...tiles, url: '' } }, [{ field: 'satellite.url', reason: 'unusable' }]],
        [{ tiles, productName: '' }, [{ field: 'productName', reason: 'unusable' }]],
        [[], [{ field: 'config.json', reason: 'unusable' }]],
        [null, [{ field: 'config.json', reason: 'unusable' }]],
      ] as const,
      JSON.stringify,
      ([raw, faults]) => {
        expect(faultsOf(raw)).toEqual(faults)
      },
    ),
  ).toEqual([])
})

test('an unreadable config.json is one failure', async () => {
  expect(
    await collectFailures(
      [
        ['missing', async () => new Response('', { status: 404 })],
        ['HTML', async () => new Response('<html>')],
        ['unreachable', () => Promise.reject(new TypeError('no'))],
      ] as const,
      JSON.stringify,
      async ([, fetch]) => {
        await expect(loadConfig(fetch as typeof globalThis.fetch)).rejects.toBeInstanceOf(ConfigError)
      },
    ),
  ).toEqual([])
})

test('a lost config.json is requested again, a rejected one is not', async () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'))
  const refuse = async () => new Response('', { status: 503 })
  const serve = async () => Response.json({ tiles })
  const queue = [lost, lost, serve, refuse, serve]
  const fetch: typeof globalThis.fetch = () => queue.shift()!()
  expect(await loadConfig(fetch)).toMatchObject({ tiles })
  await expect(loadConfig(fetch)).rejects.toBeInstanceOf(ConfigError)
  expect(queue).toHaveLength(1)
})

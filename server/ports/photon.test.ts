import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createPhotonReverse, createPhotonSearch } from './photon.ts'

async function searchServer(status: number, body: string) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  return { url, asked, [Symbol.dispose]: () => void server.close() }
}

const feature = (...coordinates: number[]) => ({ type: 'Feature', geometry: { type: 'Point', coordinates }, properties: { name: 'x' } })
const found = JSON.stringify({ type: 'FeatureCollection', features: [feature(-56.16, -34.9), feature(2.35, 48.85, 30)] })

test('an address is searched as typed and returns points', async () => {
  using server = await searchServer(200, found)
  expect(await createPhotonSearch(server.url)('18 de Julio & Ejido', 2)).toEqual([
    { label: 'x', lat: -34.9, lng: -56.16 },
    { label: 'x', lat: 48.85, lng: 2.35 },
  ])
  expect(server.asked).toEqual(['/api?q=18+de+Julio+%26+Ejido&limit=2'])
})

test('an unknown address returns an empty list', async () => {
  using server = await searchServer(200, '{"type":"FeatureCollection","features":[]}')
  expect(await createPhotonSearch(server.url)('nowhere')).toEqual([])
})

test.each([
  [500, found],
  [200, '<html>'],
  [200, '{"features":[{"geometry":{"coordinates":["a","b"]}}]}'],
])("the geocoder's response %i %s is reported as unavailable", async (status, body) => {
  using server = await searchServer(status, body)
  await expect(createPhotonSearch(server.url)('x')).rejects.toMatchObject({ code: 'unavailable' })
})

test('an unreachable geocoder is reported as unavailable', async () => {
  const server = await searchServer(200, found)
  server[Symbol.dispose]()
  await expect(createPhotonSearch(server.url)('x')).rejects.toMatchObject({ code: 'unavailable' })
})

const nearby = (properties: object) => JSON.stringify({ features: [{ ...feature(-56.2, -34.9), properties }] })

test('the address nearest to a point is requested from the server of the search, and written as street and town', async () => {
  const rows = [
    [nearby({ street: 'Rincón', housenumber: '512', city: 'Montevideo', country: 'Uruguay' }), 'Rincón 512, Montevideo'],
    [nearby({ name: 'Plaza Independencia', city: 'Montevideo' }), 'Plaza Independencia, Montevideo'],
    [nearby({ name: 'Ruta 9', county: 'Rocha' }), 'Ruta 9, Rocha'],
    [nearby({}), null],
    ['{"features":[]}', null],
  ] as const
  for (const [answer, address] of rows) {
    using server = await searchServer(200, answer)
    expect(await createPhotonReverse(server.url)({ lat: -34.9, lng: -56.2 })).toBe(address)
    expect(server.asked).toEqual(['/reverse?lat=-34.9&lon=-56.2&radius=0.4&limit=1'])
  }
})

test('an unreadable response of the geocoder is reported as unavailable for an address too', async () => {
  using server = await searchServer(500, '{}')
  await expect(createPhotonReverse(server.url)({ lat: 0, lng: 0 })).rejects.toMatchObject({ code: 'unavailable' })
})

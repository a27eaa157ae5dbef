import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawMapPicture } from '#server/pictures/map-picture.ts'
import { createTileServer } from './tile-server.ts'

const GREEN = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#00ff00' } })
  .png()
  .toBuffer()
const PIN = { lat: -34.9058, lng: -56.1594, kind: 'dog', precision: 8 } as const
const SIZE = { width: 1200, height: 630 }

/** A tile server of somebody else. */
async function startTiles(answer: (response: ServerResponse, path: string) => void) {
  const asked: { path: string; agent: string }[] = []
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, agent: headers['user-agent'] ?? '' })
    answer(response, url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const source = createTileServer(`${origin}/{z}/{x}/{y}.png`, '&copy; <a href="https://maps.example">Maps & Sons</a>', 'Portal (test)')
  return {
    asked,
    source,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const sendPicture = (response: ServerResponse, type = 'image/png', body: Buffer | string = GREEN) =>
  response.writeHead(200, { 'content-type': type }).end(body)

test('a picture of the map is made of the tiles of the tile server, each fetched once, with its credit as text', async () => {
  await using tiles = await startTiles((response) => sendPicture(response))
  const draw = () => drawMapPicture(tiles.source, { ...SIZE, pins: [PIN] })
  const picture = await draw()
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect([...data.subarray((60 * info.width + 60) * 3, (60 * info.width + 60) * 3 + 3)]).toEqual([0, 255, 0])
  expect(tiles.source.attribution).toBe('© Maps & Sons')
  expect(tiles.asked[0]).toEqual({ path: expect.stringMatching(/^\/15\/\d+\/\d+\.png$/), agent: 'Portal (test)' })
  const { length } = tiles.asked
  expect(new Set(tiles.asked.map(({ path }) => path)).size).toBe(length)
  expect((await draw()).equals(picture)).toBe(true)
  expect(tiles.asked).toHaveLength(length)
})

test('tiles of SVG and JPEG are drawn too', async () => {
  const jpeg = await sharp(GREEN).jpeg().toBuffer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><path fill="#00ff00" d="M0 0h256v256h-256z"/></svg>'
  await using tiles = await startTiles((response, path) =>
    Number(/(\d+)\.png$/.exec(path)![1]) % 2 ? sendPicture(response, 'image/jpeg', jpeg) : sendPicture(response, 'image/svg+xml', svg),
  )
  expect((await sharp(await drawMapPicture(tiles.source, { ...SIZE, pins: [PIN] })).metadata()).width).toBe(1200)
})

test.each<[string, (response: ServerResponse) => void]>([
  ['refuses', (response) => response.writeHead(403, { 'content-type': 'image/png' }).end(GREEN)],
  ['answers with a page', (response) => sendPicture(response, 'text/html', '<p>Sign in')],
  ['answers with nothing', (response) => sendPicture(response, 'image/png', '')],
  ['sends without end', (response) => sendPicture(response, 'image/png', Buffer.alloc(2 * 1024 * 1024))],
  ['breaks the connection', (response) => response.destroy()],
])('a tile server that %s gives no picture, and the failure is not cached', async (_, answer) => {
  let isBroken = true
  await using tiles = await startTiles((response) => (isBroken ? answer(response) : sendPicture(response)))
  await expect(drawMapPicture(tiles.source, { ...SIZE, pins: [PIN] })).rejects.toThrow('unavailable')
  isBroken = false
  expect((await drawMapPicture(tiles.source, { ...SIZE, pins: [PIN] })).length).toBeGreaterThan(1000)
})

test('the server of a tile is named by its subdomain, and tiles for dense screens by {r}', async () => {
  const asked: string[] = []
  const original = globalThis.fetch
  globalThis.fetch = async (url) => {
    asked.push(String(url))
    return new Response(new Uint8Array(GREEN), { headers: { 'content-type': 'image/png' } })
  }
  try {
    const source = createTileServer('https://{s}.maps.example/{z}/{x}/{y}{r}.png', '', 'Portal')
    await source.drawTile(3, 1, 1)
    await source.drawTile(3, 1, 2)
  } finally {
    globalThis.fetch = original
  }
  expect(asked).toEqual(['https://c.maps.example/3/1/1@2x.png', 'https://a.maps.example/3/1/2@2x.png'])
})

import Fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createTiles, type Tiles } from './render.ts'
import { mountTileRoutes } from './tile-routes.ts'

const app = Fastify()
const drawn: string[] = []
const tiles: Tiles = {
  render(z, x, y, theme) {
    drawn.push(`${theme}/${z}/${x}/${y}`)
    return `<svg>${theme} ${z} ${x} ${y}</svg>`
  },
}
beforeAll(async () => {
  mountTileRoutes(app, tiles)
  await app.ready()
})
const get = (url: string, headers = {}) => app.inject({ url, headers })

describe('GET /mock/tiles/{z}/{x}/{y}.svg', () => {
  test('a tile is an SVG that may be cached for a day', async () => {
    const answer = await get('/mock/tiles/14/5632/9886.svg')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/svg+xml')
    expect(answer.headers['cache-control']).toBe('public, max-age=86400')
    expect(answer.body).toBe('<svg>light 14 5632 9886</svg>')
  })

  test('a tile is drawn in the requested theme', async () => {
    expect((await get('/mock/tiles/3/1/2.svg?theme=dark')).body).toBe('<svg>dark 3 1 2</svg>')
  })

  test('an unchanged tile is answered with 304', async () => {
    const { etag } = (await get('/mock/tiles/3/1/2.svg')).headers
    const again = await get('/mock/tiles/3/1/2.svg', { 'if-none-match': etag })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    expect(again.headers.etag).toBe(etag)
    const other = await get('/mock/tiles/3/1/2.svg?theme=dark', { 'if-none-match': etag })
    expect(other.statusCode).toBe(200)
  })

  test('tiles exist from zoom 0 to zoom 19', async () => {
    expect((await get('/mock/tiles/0/0/0.svg')).statusCode).toBe(200)
    expect((await get(`/mock/tiles/19/${2 ** 19 - 1}/0.svg`)).statusCode).toBe(200)
  })

  test('a request for an impossible tile is answered with 404 in plain text and draws nothing', async () => {
    const rows = [
      ['a zoom too deep', '/mock/tiles/20/0/0.svg'],
      ['a negative zoom', '/mock/tiles/-1/0/0.svg'],
      ['a column beyond the zoom', '/mock/tiles/2/4/0.svg'],
      ['a row beyond the zoom', '/mock/tiles/2/0/4.svg'],
      ['a fraction', '/mock/tiles/2/1.5/0.svg'],
      ['an exponent', '/mock/tiles/2/1e0/0.svg'],
      ['a word', '/mock/tiles/two/0/0.svg'],
      ['an empty column', '/mock/tiles/2//0.svg'],
      ['another format', '/mock/tiles/2/0/0.png'],
      ['a number past counting', `/mock/tiles/2/${'9'.repeat(40)}/0.svg`],
      ['an unknown theme', '/mock/tiles/2/0/0.svg?theme=sepia'],
      ['two themes', '/mock/tiles/2/0/0.svg?theme=dark&theme=light'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, url]) => {
          const before = drawn.length
          const answer = await get(url)
          expect(answer.statusCode).toBe(404)
          expect(answer.headers['content-type']).toContain('text/plain')
          expect(answer.body).toMatch(/^No such tile/)
          expect(drawn.length).toBe(before)
        },
      ),
    ).toEqual([])
  })
})

describe('tiles of the city over HTTP', () => {
  test('city tiles are small SVG images with labels', async () => {
    const server = Fastify()
    mountTileRoutes(server, createTiles(await openTestCity()))
    const answer = await server.inject({ url: '/mock/tiles/16/22539/39556.svg?theme=dark' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toMatch(/^<svg .*<\/svg>$/s)
    expect(answer.body).toContain('<text')
    expect(answer.rawPayload.length).toBeLessThan(25_000)
    await server.close()
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY, LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { PORTAL_CONFIG as config } from '#server/test/test-config.ts'

// The first map reads the streets of the whole city, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let root = ''
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'whereabouts-preview-'))
  writeFileSync(path.join(root, 'index.html'), '<!doctype html><head><title>Portal</title></head><body></body>')
})
afterAll(() => rmSync(root, { recursive: true }))

const start = () => startPortal({ app: { portal: { root, config } } })
type Portal = Awaited<ReturnType<typeof start>>
const readPage = async ({ app }: Portal, token: string) => (await app.inject({ url: `/pub/trackers?token=${token}` })).body
const readPicture = ({ app }: Portal, token: string) => app.inject({ url: `/pub/trackers/picture.png?token=${token}` })

test('R-2.41 the page of a public link has a preview with the name of the tracker, and nothing about its owner', async () => {
  await using portal = await start()
  const page = await readPage(portal, LINKS.permanent)
  expect(page).toContain('<meta property="og:title" content="City bike">')
  expect(page).toContain('<meta property="og:description" content="Family">')
  expect(page).toContain('<meta name="robots" content="noindex">')
  expect(page).toMatch(/<meta property="og:image" content="http:\/\/portal\.test\/pub\/trackers\/picture\.png\?token=[\w-]+&#38;at=\d+">/)
  for (const secret of ['ALICE', 'alice', 'Almeida', '1000000003']) expect(page).not.toContain(secret)
})

test('the preview escapes names entered by users', async () => {
  await using portal = await start()
  await portal.call('alice@example.com', 'PATCH', '/devices/3/', { name: '"><script>$&' })
  const page = await readPage(portal, LINKS.permanent)
  expect(page).not.toContain('"><script>')
})

test.each(['unknown', 'expired'] as const)('R-8.11 an %s link has no preview and no picture', async (which) => {
  await using portal = await start()
  expect(await readPage(portal, LINKS[which])).not.toContain('og:')
  expect((await readPicture(portal, LINKS[which])).statusCode).toBe(404)
})

test('a link without a position has a preview without a picture', async () => {
  await using portal = await start()
  const page = await readPage(portal, LINKS.empty)
  expect(page).toContain('<meta property="og:title" content="Rex">')
  expect(page).not.toContain('og:image')
  expect((await readPicture(portal, LINKS.empty)).statusCode).toBe(404)
})

test('a resting tracker has a preview without a picture', async () => {
  await using portal = await start()
  const ended = { subState: 'ended' as const, subEndDate: new Date('2026-02-01T00:00:00Z') }
  await portal.world.db.write('everything', (tx) => tx.update(devices).set(ended).where(eq(devices.id, SEED.devices.cityBike)))
  const page = await readPage(portal, LINKS.permanent)
  expect(page).toContain('<meta property="og:title" content="City bike">')
  expect(page).not.toContain('og:image')
  expect((await readPicture(portal, LINKS.permanent)).statusCode).toBe(404)
})

test('the preview of a link for several trackers has the name of the link, their names and a picture', async () => {
  await using portal = await start()
  const body = { devices: [SEED.devices.cityBike, SEED.devices.rex], label: 'Our outing', permanent: true, from_beginning: true }
  await portal.call('alice@example.com', 'DELETE', `/tracker_public_share_links/${LINKS.expired}/`)
  const { uuid } = (await portal.call('alice@example.com', 'POST', '/tracker_public_share_links/', body)).body
  const page = await readPage(portal, uuid)
  expect(page).toContain('<meta property="og:title" content="Our outing">')
  expect(page).toContain('<meta property="og:description" content="City bike, Rex">')
  const [several, one] = [await readPicture(portal, uuid), await readPicture(portal, LINKS.fromBeginning)]
  expect(several.statusCode).toBe(200)
  expect(several.rawPayload.equals(one.rawPayload)).toBe(false)
})

test('the picture of a preview is 1200 by 630 pixels, and drawn again only for a new position', async () => {
  await using portal = await start()
  const { map } = portal.world
  let tiles = 0
  const drawTile = (...[z, x, y]: [number, number, number]) => {
    tiles++
    return map!.drawTile(z, x, y)
  }
  portal.world.map = { ...map!, drawTile }
  const first = await readPicture(portal, LINKS.permanent)
  expect([first.statusCode, first.headers['content-type'], first.headers['x-robots-tag']]).toEqual([200, 'image/png', 'noindex'])
  expect(await sharp(first.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630, format: 'png' })
  const drawn = tiles
  expect((await readPicture(portal, LINKS.permanent)).rawPayload.equals(first.rawPayload)).toBe(true)
  expect(tiles).toBe(drawn)
  const position = { lat: -34.9, lng: -56.17, precision: 5, datetime: '2026-03-02T09:00:00Z' }
  await portal.call(null, 'POST', '/devices/ingest/', { serial: 'ALICE0000003', positions: [position] }, { 'x-device-key': DEVICE_KEY })
  expect((await readPicture(portal, LINKS.permanent)).rawPayload.equals(first.rawPayload)).toBe(false)
  expect(tiles).toBeGreaterThan(drawn)
})

test('a picture is drawn while two of the same account wait, and pictures of other accounts have a queue of their own', async () => {
  await using portal = await start()
  const links = [LINKS.permanent, LINKS.lastPoint, LINKS.zoePermanent]
  const answers = await Promise.all(links.map((token) => readPicture(portal, token)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200])
})

test('a server that cannot draw maps offers no picture', async () => {
  await using portal = await start()
  portal.world.map = undefined
  expect(await readPage(portal, LINKS.permanent)).not.toContain('og:image')
  expect((await readPicture(portal, LINKS.permanent)).statusCode).toBe(404)
})

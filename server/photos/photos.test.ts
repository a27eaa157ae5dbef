import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { PHOTO } from '#contracts/limits/photo-limits.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

vi.setConfig({ testTimeout: 60_000 })

const ALICE = 'alice@example.com'
const { cityBike, rex } = SEED.devices

type Portal = Awaited<ReturnType<typeof startPortal>>

const upload = async (portal: Portal, picture: Uint8Array | string, as = ALICE) => {
  const form = new FormData()
  form.set('file', new File([picture as Uint8Array<ArrayBuffer>], 'photo'))
  return portal.fetch(`/devices/${cityBike}/photo/`, {
    method: 'PUT',
    body: form,
    headers: { authorization: `Bearer ${await portal.token(as)}` },
  })
}
const readFile = ({ app }: Portal, photo: string, size = 'large') => app.inject({ url: `/photos/${photo}/${size}.jpg` })
const draw = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c33' } })

test("a photo is cropped to two square JPEGs without the camera's metadata, and rotated according to the camera", async () => {
  await using portal = await startPortal()
  const picture = await draw(900, 600)
    .composite([{ input: { create: { width: 300, height: 600, channels: 3, background: '#33c' } }, left: 0, top: 0 }])
    .withExif({ IFD0: { Copyright: 'Alice' }, IFD3: { GPSLatitude: '34/1 54/1 0/1', GPSLatitudeRef: 'S' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const saved = await upload(portal, picture)
  expect(saved.status).toBe(200)
  const { photo } = (await saved.json()) as { photo: string }
  const large = await readFile(portal, photo)
  expect(large.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  expect(createHash('sha256').update(large.rawPayload).digest('hex')).toBe(photo)
  expect(await sharp(large.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 })
  expect((await sharp(large.rawPayload).metadata()).exif).toBeUndefined()
  expect(await sharp((await readFile(portal, photo, 'small')).rawPayload).metadata()).toMatchObject({ width: 96, height: 96 })
  const { data } = await sharp(large.rawPayload)
    .extract({ left: 256, top: 10, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(data[2]).toBeGreaterThan(150)
})

test.each([
  ['text', 'no picture at all'],
  ['a drawing, which could refer to other files', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
])('%s is refused as a photo', async (_, content) => {
  await using portal = await startPortal()
  const refused = await upload(portal, content)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ code: 'validation_error', errors: { file: ['Not a readable picture'] } })
})

test('a file above the limit, and one of another content type, are refused as photos', async () => {
  await using portal = await startPortal()
  const large = await upload(portal, new Uint8Array(PHOTO.maxBytes + 1))
  expect([large.status, await large.json()]).toMatchObject([413, { code: 'too_large' }])
  const text = await portal.call(ALICE, 'PUT', `/devices/${cityBike}/photo/`, 'no picture', { 'content-type': 'text/plain' })
  expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type'])
})

test('a small file that would decompress to more than 50 million pixels is refused', async () => {
  await using portal = await startPortal()
  const bomb = await draw(8000, 8000).png({ compressionLevel: 9 }).toBuffer()
  expect(bomb.length).toBeLessThan(1_000_000)
  expect((await upload(portal, bomb)).status).toBe(400)
})

test('the list shows photo and icon only for trackers that have them, and a removed photo disappears', async () => {
  await using portal = await startPortal()
  const read = async (id: number) => (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body
  expect(await read(cityBike)).not.toHaveProperty('photo')
  expect(await read(cityBike)).not.toHaveProperty('icon')
  const { photo } = await read(rex)
  expect((await readFile(portal, photo)).statusCode).toBe(200)
  expect((await portal.call(ALICE, 'DELETE', `/devices/${rex}/photo/`)).body).not.toHaveProperty('photo')
  expect((await readFile(portal, photo)).statusCode).toBe(404)
  expect((await portal.call(ALICE, 'PUT', `/devices/${rex}/icon/`, { icon: 'horse' })).body).toMatchObject({ icon: 'horse' })
  expect((await portal.call(ALICE, 'PUT', `/devices/${rex}/icon/`, { icon: null })).body).not.toHaveProperty('icon')
})

test('a photo is removed with its tracker', async () => {
  await using portal = await startPortal()
  const { photo } = (await (await upload(portal, await draw(600, 600).png().toBuffer())).json()) as { photo: string }
  await portal.call(ALICE, 'DELETE', `/devices/${cityBike}/`)
  expect((await readFile(portal, photo)).statusCode).toBe(404)
})

test('the photo of a tracker belongs to its account', async () => {
  await using portal = await startPortal()
  expect((await upload(portal, await draw(600, 600).png().toBuffer(), 'chloe@example.com')).status).toBe(404)
})

test('the pin of the map in a preview shows the photo', async () => {
  await using portal = await startPortal()
  const link = await portal.call(ALICE, 'POST', `/devices/${rex}/public_share_link/`, { label: 'x', permanent: true, from_beginning: true })
  const readPreview = async () => (await portal.app.inject({ url: `/pub/trackers/picture.png?token=${link.body.uuid}` })).rawPayload
  const withPhoto = await readPreview()
  await portal.call(ALICE, 'DELETE', `/devices/${rex}/photo/`)
  expect((await readPreview()).equals(withPhoto)).toBe(false)
})

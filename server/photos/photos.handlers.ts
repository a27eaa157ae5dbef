import { createHash } from 'node:crypto'
import { PHOTO } from '#contracts/lib/constants.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import type { photos as contract } from '#contracts/trackers/photos.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx, readDevice } from '#server/devices/device.ts'
import { runDrawing } from '#server/http/access/limits.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { removePhoto, saveIcon, savePhoto } from './photos.store.ts'

export const photos: Handlers<typeof contract> = {
  async save({ params, body }, context) {
    await getOwnedDevice(context, params.id)
    const picture = await collect(body)
    const { large, small } = await runDrawing(() => encodePhoto(picture))
    const hash = createHash('sha256').update(large).digest('hex')
    return changeDevice(context, params.id, (tx, { id }) => savePhoto(tx, { deviceId: id, hash, large, small }))
  },
  remove: ({ params }, context) => changeDevice(context, params.id, (tx, { id }) => removePhoto(tx, id)),
  setIcon: ({ params, body }, context) => changeDevice(context, params.id, (tx, { id }) => saveIcon(tx, id, body.icon)),
}

type Change = (tx: Parameters<typeof getOwnedDeviceInTx>[0], device: DeviceRow) => PromiseLike<unknown>

function changeDevice({ db, clock, viewer }: ViewerContext, id: number, change: Change) {
  return writeDevices(db, [`account:${viewer.accountId}`], async (tx, touch) => {
    const device = await getOwnedDeviceInTx(tx, viewer, id)
    touch(device)
    await change(tx, device)
    return readDevice(tx, viewer, id, clock.now())
  })
}

async function collect(body: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'heif']
const TIMEOUT_SECONDS = 15
const QUALITY = 82

/**
 * Encodes a picture again as two JPEG squares: turned as its camera says, and without its metadata, which may hold the place where it was
 * taken. Throws `validation_error` for what is no picture, or has too many pixels.
 */
async function encodePhoto(picture: Uint8Array) {
  const { default: sharp } = await import('sharp')
  const open = () => sharp(picture, { limitInputPixels: PHOTO.maxPixels })
  const encode = (source: ReturnType<typeof sharp>, size: number) =>
    source
      .resize(size, size, { fit: 'cover' })
      .flatten({ background: '#fff' })
      .jpeg({ quality: QUALITY, mozjpeg: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
  try {
    const { format } = await open().metadata()
    if (!FORMATS.includes(format)) throw new Error(`format ${format}`)
    const large = await encode(open().autoOrient(), PHOTO.sizes.large)
    return { large, small: await encode(sharp(large), PHOTO.sizes.small) }
  } catch {
    throw invalidField(UPLOAD_FIELD, 'Not a readable picture')
  }
}

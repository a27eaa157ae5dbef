import { buffer } from 'node:stream/consumers'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { PHOTO } from '#contracts/limits/photo-limits.ts'
import { invalidField } from '#server/lib/errors.ts'
import { readBytes } from '#server/lib/workers/read-bytes.ts'

const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'heif']
const TIMEOUT_SECONDS = 15
const QUALITY = 82

/**
 * Re-encodes a picture as two JPEG squares: rotated as its camera says, and without metadata, which may contain the place where it was
 * taken. Throws `validation_error` for a file that is not a picture, or has too many pixels.
 */
export async function encodePhoto(fd: number) {
  const picture = await readAll(fd)
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

const readAll = (fd: number) => buffer(readBytes(fd))

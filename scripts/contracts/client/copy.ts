import { type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** Bytes of a body that are looked at; what is larger passes unseen. */
const LONGEST = 16 * 1024 * 1024

/** A stream that passes everything on at once and keeps a copy; null when it was too long. */
export function copying() {
  const pieces: Buffer[] = []
  let length = 0
  const stream = new Transform({
    transform(piece: Buffer, _, done) {
      length += piece.length
      if (length <= LONGEST) pieces.push(piece)
      done(null, piece)
    },
  })
  return { stream, copy: () => (length > LONGEST ? null : Buffer.concat(pieces)) }
}

/** What a stream brings while somebody else reads it; null when it was too long or was cut off. */
export async function copyOf(stream: Readable): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let length = 0
  stream.on('data', (piece: Buffer) => {
    length += piece.length
    if (length <= LONGEST) pieces.push(piece)
  })
  const isWhole = await new Promise<boolean>((resolve) => stream.once('end', () => resolve(true)).once('close', () => resolve(false)))
  return isWhole && length <= LONGEST ? Buffer.concat(pieces) : null
}

const decoders: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  '': async (bytes) => bytes,
  identity: async (bytes) => bytes,
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The text of a body as it was before it was compressed; null when that can't be told. */
export async function textOf(bytes: Buffer, encoding = ''): Promise<string | null> {
  return (
    (await decoders[encoding.toLowerCase()]?.(bytes).then(
      (text) => text.toString('utf8'),
      () => null,
    )) ?? null
  )
}

import { type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** In bytes; larger bodies pass through unchecked. */
const LONGEST = 16 * 1024 * 1024

/** A pass-through stream that also keeps a copy, which is null if the body was too long. */
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

/** Copies a stream while another consumer reads it; null if it was too long or aborted. */
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

/** Decompresses a body; null if the encoding is unknown or the bytes are damaged. */
export async function textOf(bytes: Buffer, encoding = ''): Promise<string | null> {
  return (
    (await decoders[encoding.toLowerCase()]?.(bytes).then(
      (text) => text.toString('utf8'),
      () => null,
    )) ?? null
  )
}

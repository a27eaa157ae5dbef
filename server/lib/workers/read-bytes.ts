import { read } from 'node:fs'
import { promisify } from 'node:util'

const readPiece = promisify(read)
const PIECE = 1 << 18

/** Reads an open file from its start, piece by piece. Unlike a stream it never closes the file, which belongs to another thread. */
export async function* readBytes(fd: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readPiece(fd, Buffer.allocUnsafe(PIECE), 0, PIECE, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

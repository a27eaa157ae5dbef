import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Failure } from '#server/lib/errors.ts'

/** An unnamed file that only this process has open. */
export type SpooledFile = { fd: number; size: number }

/**
 * Writes the bytes to a temporary file as they arrive, and passes it to `work`: they take no memory, and other uploads do not wait for a
 * slow sender. The name is removed at once, so that nothing remains after a crash.
 */
export async function withSpooled<T>(bytes: AsyncIterable<Uint8Array>, work: (file: SpooledFile) => Promise<T>): Promise<T> {
  const { handle, remove } = await openTemporary()
  try {
    let size = 0
    for await (const chunk of bytes) {
      await handle.writeFile(chunk).catch(refuseFullDisk)
      size += chunk.length
    }
    return await work({ fd: handle.fd, size })
  } finally {
    await handle.close()
    await remove()
  }
}

async function openTemporary() {
  const folder = await mkdtemp(path.join(tmpdir(), 'whereabouts-')).catch(refuseFullDisk)
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {})
  try {
    const handle = await open(path.join(folder, 'file'), 'wx+', 0o600)
    await remove()
    return { handle, remove }
  } catch (error) {
    await remove()
    return refuseFullDisk(error)
  }
}

function refuseFullDisk(cause: unknown): never {
  throw new Failure('unavailable', {}, { cause })
}

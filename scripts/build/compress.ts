import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = /\.(js|css|svg|json|html)$/
/** In bytes; below this size the headers weigh more than compression saves. */
const WORTH_IT = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const compress = async (file: string): Promise<number> => {
  const plain = await readFile(file)
  if (plain.length < WORTH_IT) return 0
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  await Promise.all([
    brotli(plain, { params }).then((bytes) => writeFile(`${file}.br`, bytes)),
    zip(plain, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
  return 1
}

/** Writes a brotli and a gzip copy next to each text file, for @fastify/static with `preCompressed`. */
export const compressFolder = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name)).map((entry) => join(entry.parentPath, entry.name))
  const written = await Promise.all(files.map(compress))
  return `${folder}, ${written.reduce((sum, one) => sum + one, 0)} files pre-compressed`
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { FONT_FILES } from '#server/pdf/pdf-fonts.ts'

/** Writes the fonts of PDF files for an installation without the packages they come from; compressed, because they are half of its size. */
export function writeServerFonts(folder: string) {
  const { resolve } = createRequire(import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const name of Object.values(FONT_FILES)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(join(folder, `${basename(name)}.br`), brotliCompressSync(readFileSync(resolve(name)), { params }))
  }
}

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'
import { FONT_FILES } from '#server/pdf/pdf-fonts.ts'

/** Packages that a bundle cannot contain, because they have native code. */
export const NATIVE_PACKAGES = ['better-sqlite3', 'better-sqlite3-napi', 'sharp', '@node-rs/argon2']

const NO_CLIENT = '\0no-sqlite-client'

/**
 * drizzle imports better-sqlite3 to open files by their path, which `db/sqlite/driver.ts` does instead, with the driver that fits. Without this
 * plugin Node 22 and later would need both drivers.
 */
export const withoutSecondDriver: Plugin = {
  name: 'without-second-driver',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'better-sqlite3' && importer?.includes('drizzle-orm') ? NO_CLIENT : undefined),
  load: (id) => (id === NO_CLIENT ? 'export default class {}' : undefined),
}

/** Writes the fonts of PDF files for an installation without the packages they come from; compressed, because they are half of its size. */
export function writeServerFonts(folder: string) {
  const { resolve } = createRequire(import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const name of FONT_FILES) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(join(folder, `${basename(name)}.br`), brotliCompressSync(readFileSync(resolve(name)), { params }))
  }
}

const REFERENCE_FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
  'index.css',
  'favicon-16x16.png',
  'favicon-32x32.png',
]

/** Copies what the pages of the API reference load, for an installation without their package. */
export function copyReferenceFiles(folder: string) {
  const source = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  mkdirSync(folder, { recursive: true })
  for (const name of REFERENCE_FILES) copyFileSync(join(source, name), join(folder, name))
}

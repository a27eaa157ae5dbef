import path from 'node:path'
import type { Plugin } from 'vite'

const HELPER = /\/preload-helper\.js$/
const LOADER = path.resolve('web/lib/chunk.ts').replaceAll('\\', '/')

/** Loads the files of chunks by our own function instead of Vite's, which gives up when one gets lost. */
export const chunkFiles: Plugin = {
  name: 'chunk-files',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (HELPER.test(id) ? `export { importWithFiles as __vitePreload } from ${JSON.stringify(LOADER)}` : undefined),
}

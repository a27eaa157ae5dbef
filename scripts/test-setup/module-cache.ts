import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const SETTINGS = ['package.json', 'tsconfig.json', 'vitest.config.ts']

const digest = createHash('sha1')
for (const file of SETTINGS) digest.update(readFileSync(file))
const settings = digest.digest('hex')

/** Returns what a transformed module depends on besides its source and the lock file; false where that cannot be told. */
export const describeDependence = ({ sourceCode }: { sourceCode: string }) => (/\bimport\.meta\.glob\b/.test(sourceCode) ? false : settings)

/** Completes the keys of Vitest's cache of transformed modules, which overlooks these settings and `import.meta.glob<Type>(…)`. */
export const completeCacheKeys = (): Plugin => ({
  name: 'complete-cache-keys',
  configureVitest: ({ experimental_defineCacheKeyGenerator }) => experimental_defineCacheKeyGenerator(describeDependence),
})

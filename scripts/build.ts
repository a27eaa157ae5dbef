/** Builds what the server needs, or the named targets: `npm run build -- web server`. */

import { build } from 'vite'
import { buildDemoCity } from '#scripts/build/city.ts'
import { compressFolder } from '#scripts/build/compress.ts'
import { buildPackage } from '#scripts/build/package.ts'
import { writeScreenPaths } from '#scripts/build/screen-paths.ts'
import { writeBuildId, writeWorker } from '#scripts/build/worker.ts'
import { buildWithStamp, TARGETS, type Target } from '#scripts/setup/stamps.mjs'

const bundle = (configFile: string) => build({ configFile, logLevel: 'warn', mode: 'production' })

const builds: Record<Target, () => Promise<string>> = {
  web: async () => {
    await bundle('vite.config.ts')
    writeBuildId('dist/web')
    writeScreenPaths('dist/web')
    await writeWorker('dist/web')
    return compressFolder('dist/web')
  },
  server: async () => {
    await bundle('vite.server.config.ts')
    await bundle('vite.bar.config.ts')
    await bundle('vite.panel.config.ts')
    return 'dist/server'
  },
  city: () => buildDemoCity('dist/city'),
  package: () => buildPackage('dist/package', 'dist/city'),
}

const isTarget = (name: string): name is Target => name in TARGETS

/** The targets that the server needs; the package for other projects is built on demand. */
const STACK = ['web', 'server', 'city'] as const

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !isTarget(name))
if (unknown.length > 0) {
  console.error(`build: unknown target ${unknown.join(', ')}; available: ${Object.keys(TARGETS).join(', ')}`)
  process.exit(1)
}

const buildOne = async (target: Target) => {
  const start = performance.now()
  let output = ''
  await buildWithStamp(process.cwd(), target, async () => {
    output = await builds[target]()
  })
  console.log(`build: ${target} in ${((performance.now() - start) / 1000).toFixed(1)} s (${output})`)
}

try {
  for (const target of asked.length > 0 ? asked.filter(isTarget) : STACK) await buildOne(target)
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

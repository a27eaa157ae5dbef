/** Builds all targets, or the named ones: `npm run build -- web server`. */
import { writeBuildId } from '#scripts/build/build-id.ts'
import { buildDemoCity } from '#scripts/build/city.ts'
import { compressFolder } from '#scripts/build/compress.ts'
import { bundle } from '#scripts/build/vite.ts'
import { writeWorker } from '#scripts/build/worker.ts'
import { stamped, TARGETS, type Target } from '#scripts/setup/stamps.mjs'

const builds: Record<Target, () => Promise<string>> = {
  web: async () => {
    await bundle('vite.config.ts')
    writeBuildId('dist/web')
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
}

const isTarget = (name: string): name is Target => name in TARGETS

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !isTarget(name))
if (unknown.length > 0) {
  console.error(`build: no target ${unknown.join(', ')}; there are ${Object.keys(TARGETS).join(', ')}`)
  process.exit(1)
}

const buildOne = async (target: Target) => {
  const start = performance.now()
  let said = ''
  await stamped(process.cwd(), target, async () => {
    said = await builds[target]()
  })
  console.log(`build: ${target} in ${((performance.now() - start) / 1000).toFixed(1)} s (${said})`)
}

try {
  for (const target of asked.length > 0 ? asked.filter(isTarget) : (Object.keys(builds) as Target[])) await buildOne(target)
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

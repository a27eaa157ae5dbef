import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'

let chunks: Rolldown.OutputChunk[] = []

beforeAll(async () => {
  const built = await build({ configFile: 'vite.server.config.ts', logLevel: 'silent', build: { write: false, sourcemap: false } })
  const outputs = Array.isArray(built) ? built : [built]
  chunks = outputs.flatMap((one) => ('output' in one ? one.output : [])).filter((one) => one.type === 'chunk')
})

function modulesOf(entry: string) {
  const seen = new Set<string>()
  const open = [`${entry}.js`]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    if (!chunk || seen.has(name)) continue
    seen.add(name)
    open.push(...chunk.imports, ...chunk.dynamicImports)
  }
  const loaded = chunks.filter(({ fileName }) => seen.has(fileName)).flatMap(({ moduleIds }) => moduleIds)
  return loaded.map((id) => id.slice(process.cwd().length + 1)).filter((id) => !id.startsWith('node_modules/'))
}

describe('shipped programs', () => {
  test('the production program contains no file of the mock server, the demo city or the demo data', () => {
    const modules = modulesOf('main')
    expect(modules).toEqual(expect.arrayContaining(['server/main.ts', 'server/app.ts', 'db/sqlite/open.ts']))
    expect(modules.filter((id) => /^(server|contracts)\/mock\//.test(id))).toEqual([])
  })

  test('the local stack contains the mock server', () => {
    expect(modulesOf('mock')).toEqual(expect.arrayContaining(['server/mock/main.ts', 'server/mock/control/control.ts', 'server/app.ts']))
  })

  test('the thread that reads files contains no server, no database engine and no file of the mock server', () => {
    const modules = modulesOf('worker')
    expect(modules).toEqual(
      expect.arrayContaining(['server/worker/worker.ts', 'server/tracking/import/formats/read-file.ts', 'server/photos/encode-photo.ts']),
    )
    expect(modules.filter((id) => /^(server\/(mock|http)|db\/(sqlite|postgres)|web)\//.test(id))).toEqual([])
  })

  test.each(['main', 'mock'])('%s contains no tests and no file of the web portal', (entry) => {
    expect(modulesOf(entry).filter((id) => /\.test\.|\/test(ing)?[-.].*ts$|^server\/test\/|^(web|e2e|scripts)\//.test(id))).toEqual([])
  })
})

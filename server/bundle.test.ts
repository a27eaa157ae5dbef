import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'

let chunks: Rolldown.OutputChunk[] = []

beforeAll(async () => {
  const built = await build({ configFile: 'vite.server.config.ts', logLevel: 'silent', build: { write: false, sourcemap: false } })
  const outputs = Array.isArray(built) ? built : [built]
  chunks = outputs.flatMap((one) => ('output' in one ? one.output : [])).filter((one) => one.type === 'chunk')
}, 60_000)

/** Every file of ours that running this entry loads, by way of all chunks. */
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

describe('what is shipped', () => {
  test('production holds no file of the mock server', () => {
    const modules = modulesOf('main')
    expect(modules).toEqual(expect.arrayContaining(['server/main.ts', 'server/app.ts', 'db/sqlite/open.ts']))
    expect(modules.filter((id) => /^(server|contracts)\/mock\//.test(id))).toEqual([])
  })

  test('production holds neither demo city nor demo data', () => {
    expect(modulesOf('main').filter((id) => /^db\/(city|seed)\//.test(id))).toEqual([])
  })

  test('the local stack holds the mock server', () => {
    expect(modulesOf('mock')).toEqual(expect.arrayContaining(['server/mock/main.ts', 'server/mock/control/control.ts', 'server/app.ts']))
  })

  test.each(['main', 'mock'])('%s holds no test and nothing of the portal', (entry) => {
    expect(modulesOf(entry).filter((id) => /\.test\.|\/test(ing)?[-.].*ts$|^(web|e2e|scripts)\//.test(id))).toEqual([])
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, createServer } from 'vite'
import { expect, test } from 'vitest'
import { dropSummaries } from './vite-plugins.ts'

test('the page of npm run dev loads the developer panel from its source, and requests of it reach the port of the server', async () => {
  const vite = await createServer({
    configFile: 'vite.config.ts',
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  try {
    const page = await vite.transformIndexHtml('/', '<!doctype html><html><head></head><body></body></html>')
    const [, src] = /<script type="module" src="(\/@fs\/[^"]+\/server\/mock\/panel\/main\.ts)">/.exec(page) ?? []
    expect((await vite.transformRequest(src ?? ''))?.code).toContain('developer-panel')
    const targets = Object.values(vite.config.server.proxy ?? {}).map((proxy) => (typeof proxy === 'string' ? proxy : proxy.target))
    expect(new Set(targets)).toEqual(new Set([`http://127.0.0.1:${process.env.PORT || 8080}`]))
  } finally {
    await vite.close()
  }
})

test('the portal carries no text that contracts have only for the API reference, and every other field of theirs', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-summaries-'))
  try {
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), text)
    }
    write(
      'contracts/dogs.ts',
      `export const dogs = {
  read: {
    path: '/dogs/',
    summary: "Reads Rex's dog",
    provenance: 'assumed',
    safety: 'read',
  },
  walk: {
    path: '/walk/',
    summary:
      'It\\'s a walk',
    errors: ['summary'],
  },
  list: { path: '/list/' },
}
`,
    )
    write('main.ts', "import { dogs } from './contracts/dogs.ts'\nexport const summary = 'A summary of ours'\nexport { dogs }\n")
    const lib = { entry: path.join(folder, 'main.ts'), formats: ['es' as const] }
    const result = await build({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      plugins: [dropSummaries],
      build: { lib, write: false },
    })
    const code = [result].flat().flatMap((one) => ('output' in one ? one.output : []))[0]
    const text = code && 'code' in code ? code.code : ''
    for (const gone of ['Rex', 'assumed', 'a walk']) expect(text).not.toContain(gone)
    for (const kept of ['/dogs/', '/walk/', '/list/', 'A summary of ours', 'safety', 'errors']) expect(text).toContain(kept)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

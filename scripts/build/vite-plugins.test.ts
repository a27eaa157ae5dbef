import { createServer } from 'vite'
import { expect, test } from 'vitest'

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

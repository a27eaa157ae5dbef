import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { expect, test } from '#e2e/portal.ts'
import { choosePorts } from '#e2e/ports.ts'

/** playwright.config.ts allows this origin in CORS_ORIGINS. */
const { staticHost: PORT } = await choosePorts()
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** A minimal static startStaticHost: files, index.html for every other path, and its own /config.json. */
function startStaticHost(config: object) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    if (pathname === '/config.json') return response.setHeader('content-type', 'application/json').end(JSON.stringify(config))
    const wanted = path.join('dist/web', path.normalize(pathname))
    const file = pathname !== '/' && existsSync(wanted) ? wanted : 'dist/web/index.html'
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  })
  return new Promise<http.Server>((resolve) => server.listen(PORT, '127.0.0.1', () => resolve(server)))
}

test('R-7.23 the same build on a static startStaticHost talks to the backend that its config.json names', async ({
  page,
  world,
  baseURL,
}) => {
  const tiles = { url: `${baseURL}/mock/tiles/{z}/{x}/{y}.svg?theme={theme}`, attribution: '© OpenStreetMap contributors', maxZoom: 19 }
  const server = await startStaticHost({
    apiBaseUrl: `${baseURL}/`,
    productName: 'Elsewhere',
    supportEmail: 'help@example.com',
    tiles,
    build: 'b1',
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.setExtraHTTPHeaders({ 'x-world': world.id })
  await page.goto(`http://127.0.0.1:${PORT}/trackers?token=${world.persona('alice').token}`)
  await expect(page.getByRole('link', { name: /Rex/ }).first()).toBeVisible()
  await expect(page).toHaveTitle('Elsewhere - Trackers')
  expect(asked).toContain(`${baseURL}/devices/?type=tracker`)
  expect(asked.filter((url) => url.replace('://', '').includes('//'))).toEqual([])
  await page.evaluate(() => localStorage.setItem('token', '0'.repeat(40)))
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=/) // With CORS headers an error is a response, not a network failure.
  await new Promise((closed) => server.close(closed).closeAllConnections())
})

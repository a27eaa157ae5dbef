import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.woff2': 'font/woff2',
}

/** A minimal static host of the built portal: files, index.html for every other path, and its own /config.json. */
export async function startStaticHost(config: object, port = 0) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    if (pathname === '/healthz') return response.end('ok')
    if (pathname === '/config.json') return response.setHeader('content-type', 'application/json').end(JSON.stringify(config))
    const wanted = path.join('dist/web', path.normalize(pathname))
    const file = pathname !== '/' && existsSync(wanted) ? wanted : 'dist/web/index.html'
    if (file.endsWith('.html')) response.setHeader('content-security-policy', "style-src 'self'")
    // File names contain a content hash, so later visits take them from the cache.
    if (pathname.startsWith('/assets/')) response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => server.close(closed).closeAllConnections())
    },
  }
}

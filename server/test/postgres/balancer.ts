import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

const CHECK_MS = 100
/** A slow server does not delay the checks of the others for longer. */
const CHECK_TIMEOUT_MS = 1000

/**
 * A load balancer like that of `docker-compose.scale.yml`: distributes requests in turn to ready servers, and repeats one only if no server
 * has accepted the connection. `broken` counts those that a server accepted without responding.
 */
export async function startBalancer(urls: () => string[]) {
  const aborter = new AbortController()
  const ready = new Set<string>()
  const seen = { requests: 0, broken: 0 }
  const agent = new Agent({ keepAlive: false })
  let turn = 0

  async function check(url: string) {
    const signal = AbortSignal.any([aborter.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)])
    const status = await fetch(`${url}/readyz`, { signal }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) ready.add(url)
    else ready.delete(url)
  }
  const checkAll = () => Promise.all(urls().map(check))
  async function checkOn() {
    while (!aborter.signal.aborted) {
      await delay(CHECK_MS)
      await checkAll()
    }
  }

  function forward(from: IncomingMessage, body: Buffer, to: ServerResponse, tries: number) {
    const all = urls()
    const known = all.filter((url) => ready.has(url))
    const candidates = known.length > 0 ? known : all
    const { url: path, method, headers } = from
    const sent = request(`${candidates[turn++ % candidates.length]}${path}`, { method: method!, headers, agent })
    to.once('close', () => sent.destroy())
    sent.once('response', (response) => {
      to.writeHead(response.statusCode!, response.headers)
      response.pipe(to)
      response.once('error', () => to.destroy())
    })
    sent.once('error', (error) => {
      if (to.headersSent || to.destroyed) return
      if ('code' in error && error.code === 'ECONNREFUSED' && tries > 0) return forward(from, body, to, tries - 1)
      seen.broken++
      to.writeHead(502).end()
    })
    sent.end(body)
  }

  const server = createServer(async (from, to) => {
    seen.requests++
    forward(from, await buffer(from), to, 20)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await checkAll()
  const checking = checkOn()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      aborter.abort()
      await checking
      server.closeAllConnections()
      server.close()
    },
  }
}

import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

type Line = {
  /** Milliseconds by which each request is delayed before it reaches the server. */
  delayMs: number
  /** Every n-th request is cut; 0 cuts none. */
  cutsEvery: number
}

/** A connection to the server that is slow or loses requests. Half of the cuts happen before the response, half within it. */
export async function startThinLine(origin: string, line: Partial<Line> = {}) {
  const state: Line & { requests: number; cuts: number } = { delayMs: 0, cutsEvery: 0, requests: 0, cuts: 0, ...line }
  const { port, host } = new URL(origin)
  const server = http.createServer((request, response) => {
    const isCut = state.cutsEvery > 0 && ++state.requests % state.cutsEvery === 0
    if (isCut && ++state.cuts % 2 === 0) return request.socket.destroy()
    setTimeout(() => forward(request, response, isCut), state.delayMs)
  })
  const forward = (request: http.IncomingMessage, response: http.ServerResponse, isCut: boolean) => {
    // The host names of worlds end in .localhost, which only browsers resolve.
    const to = { hostname: '127.0.0.1', port, path: request.url, method: request.method, headers: { ...request.headers, host } }
    const onward = http.request(to, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      if (!isCut) return answer.pipe(response)
      answer.once('data', (part: Buffer) => response.write(part.subarray(0, part.length / 2), () => response.destroy()))
      answer.once('end', () => response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => server.close(closed).closeAllConnections())
    },
  })
}

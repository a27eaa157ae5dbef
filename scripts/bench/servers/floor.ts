import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The lower bound of a Node server: reads the request and sends fixed bytes. Each message of the parent process is a body in base64; the
 * reply is the path under which it is served; `/` sends `ok`.
 */
const bodies = new Map<string | undefined, Buffer>([['/', Buffer.from('ok')]])

const server = http.createServer((request, response) => {
  const body = bodies.get(request.url)!
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})

process.on('message', (bytes: string) => {
  const path = `/${bodies.size}`
  bodies.set(path, Buffer.from(bytes, 'base64'))
  process.send?.(path)
})
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

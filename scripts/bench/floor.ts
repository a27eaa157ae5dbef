import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least a Node server can do: read the body, send the same bytes. Prints its port. */
process.once('message', (bytes: string) => {
  const body = Buffer.from(bytes, 'base64')
  const server = http.createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})

import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fastest a Node server can be: reads the request body and sends fixed bytes. Reports its port to the parent process. */
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

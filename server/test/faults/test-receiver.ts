import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a receiver of webhooks that accepts everything. `taken`: the ids of the messages, in the order in which they arrived. */
export async function startReceiver() {
  const taken: string[] = []
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      taken.push(String(request.headers['webhook-id']))
      response.writeHead(204).end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    taken,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

import type { AddressInfo } from 'node:net'
import net from 'node:net'

/** The lower bound of live streams: one write to each socket for each event. */
export type Publish = { events: number; together: number; data: string }

const open = new Set<net.Socket>()
const server = net.createServer((socket) => {
  open.add(socket)
  socket.on('data', () => {}).on('error', () => {})
  socket.on('close', () => open.delete(socket))
  socket.write(': live\n\n')
})

process.on('message', ({ events, data }: Publish) => {
  let left = events
  const publish = () => {
    const text = `id: ${left}\nevent: position\ndata: ${data}\n\n`
    for (const socket of open) socket.write(text)
    if (--left > 0) setImmediate(publish)
  }
  publish()
})
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between the servers and their database: open, cut (connections end and new ones are refused), or silent. */
export async function startProxy(target: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  const watch = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (isSilent) socket.pause()
    return socket
  }
  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return void near.resetAndDestroy()
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const [from, to] of [
      [watch(near), far],
      [watch(far), near],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => to.destroy())
    }
    if (isSilent) for (const socket of [near, far]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends all connections and refuses new ones. */
    cut() {
      isCut = true
      for (const socket of sockets) socket.resetAndDestroy()
    },
    /** Passes no byte on, without a word to either side. */
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    /** New connections pass again; those of a silent network continue, unless they are `forgotten`, as by a router that restarted. */
    heal({ forgets = false } = {}) {
      isCut = false
      isSilent = false
      if (!forgets) for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

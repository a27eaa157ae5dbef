import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The driver's message for a commit. */
const COMMIT = Buffer.from('commit\0')

/** The network between the servers and their database: open, cut (connections end and new ones are refused), or silent. */
export async function startProxy(target: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  let trap: { passes: boolean; spring(): void } | undefined
  function cut() {
    isCut = true
    for (const socket of sockets) socket.resetAndDestroy()
  }
  /** Cuts the network at a commit, which the database does or does not receive; returns whether it did. */
  function cutAt(bytes: Buffer, far: Socket) {
    if (!trap || !bytes.includes(COMMIT)) return false
    const { passes, spring } = trap
    trap = undefined
    if (passes) {
      // The database reads everything sent before the end of a connection.
      sockets.delete(far)
      far.end(bytes)
    }
    cut()
    spring()
    return true
  }
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
      from.on('data', (bytes) => (from === near && cutAt(bytes, far)) || to.write(bytes))
      from.on('close', () => to.destroy())
    }
    if (isSilent) for (const socket of [near, far]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends all connections and refuses new ones. */
    cut,
    /** Cuts at the next commit. `passes`: whether the database still receives it; the server gets no response in either case. */
    cutAtCommit: ({ passes }: { passes: boolean }) =>
      new Promise<void>((resolve) => {
        trap = { passes, spring: resolve }
      }),
    /** Drops all bytes without notifying either side. */
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    /**
     * Restores the network for new connections; those of a silent network continue, unless they are `forgotten`, as by a restarted router.
     */
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

import { createServer } from 'node:net'

const HOST = '127.0.0.1'
/** Below the ephemeral ports of the operating systems, so that no client takes a port between its choice and its use. */
const FIRST = 18_090
const LAST = 18_990
/** Ports of a run: its server, its static host, and one that is occupied to reserve them. */
const PORTS = 3

/** Occupies a port until the process ends or `release` is called; false when it is taken. */
const occupy = (port: number) =>
  new Promise<false | { release(): Promise<unknown> }>((resolve) => {
    const server = createServer().unref()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => resolve({ release: () => new Promise((done) => server.close(done)) }))
  })

async function isFree(port: number) {
  const occupied = await occupy(port)
  if (occupied) await occupied.release()
  return occupied !== false
}

/**
 * Returns the ports of the server and of the static host of this run: the first two free neighbours, or `E2E_PORT` and the next. The main
 * process chooses; its workers inherit the choice through `E2E_PORT`. It occupies a third port until it ends, so that of two runs that begin
 * together only one gets these.
 */
export async function choosePorts(): Promise<{ server: number; staticHost: number }> {
  const chosen = process.env.E2E_PORT
  if (chosen) return { server: Number(chosen), staticHost: Number(chosen) + 1 }
  for (let port = FIRST; port < LAST; port += PORTS) {
    const claim = await occupy(port + 2)
    if (!claim) continue
    if ((await isFree(port)) && (await isFree(port + 1))) {
      process.env.E2E_PORT = String(port)
      return { server: port, staticHost: port + 1 }
    }
    await claim.release()
  }
  throw new Error(`No ${PORTS} neighbouring ports are free between ${FIRST} and ${LAST}; set E2E_PORT`)
}

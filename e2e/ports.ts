import { createServer } from 'node:net'

const HOST = '127.0.0.1'
/** Below the ephemeral ports of the operating systems, so that no client takes a port between its choice and its use. */
const FIRST = 18_090
const LAST = 18_990

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })

/**
 * Returns the ports of the server and of the static host of this run: the first two free neighbours, or `E2E_PORT` and the next. The main
 * process chooses; its workers inherit the choice through `E2E_PORT`.
 */
export async function choosePorts(): Promise<{ server: number; staticHost: number }> {
  const chosen = process.env.E2E_PORT
  if (chosen) return { server: Number(chosen), staticHost: Number(chosen) + 1 }
  for (let port = FIRST; port < LAST; port += 2) {
    if (!(await isFree(port)) || !(await isFree(port + 1))) continue
    process.env.E2E_PORT = String(port)
    return { server: port, staticHost: port + 1 }
  }
  throw new Error(`No two neighbouring ports are free between ${FIRST} and ${LAST}; set E2E_PORT`)
}

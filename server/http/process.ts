import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Listens; a port in use is one sentence. Returns the address. */
export async function listen(app: FastifyInstance, { host, port }: Place) {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const remedy = remedies[code]
    throw remedy ? new Error(remedy({ host, port }), { cause: error }) : error
  }
}

type Place = { host: string; port: number }

const remedies: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start`,
  EACCES: ({ port }) => `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=8080 npm start`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.`,
  ENOTFOUND: ({ host }) => `${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.`,
}

/** Ends well on Ctrl-C and on `docker stop`: no new requests, running ones finish, then the database closes. */
export function closeOnSignal(close: () => Promise<void>) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      const timer = setTimeout(() => process.exit(1), 10_000)
      timer.unref()
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

/** Runs the program; what stops it is told in one sentence, without a trace. */
export function run(main: () => Promise<void>) {
  main().catch((error: unknown) => {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n\n`)
    process.exit(1)
  })
}

/** A port nobody uses, for `PORT=0`: the addresses in e-mails must name it before the server listens. */
export function freePort(host: string) {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

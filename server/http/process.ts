import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { chooseWording } from '#db/program-files.ts'
import { acceptWaiting } from '#server/http/connections/closing.ts'

export const DATABASE_FILENAME = 'whereabouts.db'

/** Files created by the process are closed to other users. */
const OWNER_ONLY = 0o077

/** Creates the data folder. Throws a one-sentence error when it is not writable. */
export function ensureDataDir(folder: string) {
  try {
    process.umask(OWNER_ONLY)
    ensureFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new Error(
      `The data folder ${folder} cannot be written. Give this user the right to write it, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** Creates a folder and its parents. `recursive` of Node 20 loops forever on file systems like /proc that cannot hold folders. */
function ensureFolder(folder: string) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  ensureFolder(path.dirname(folder))
  mkdirSync(folder)
}

export async function listen(app: FastifyInstance, { host, port }: ListenAddress) {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const remedy = remedies[code]
    throw remedy ? new Error(remedy({ host, port }), { cause: error }) : error
  }
}

type ListenAddress = { host: string; port: number }

const formatStart = (port: number) => chooseWording(`PORT=${port} npm start`, `npx whereabouts up --port ${port}`)

const remedies: Record<string, (place: ListenAddress) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop the other program, or choose another port: ${formatStart(port + 1)}`,
  EACCES: ({ port }) => `Port ${port} needs more rights than this user has. Choose one above 1023: ${formatStart(8080)}`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.`,
  ENOTFOUND: ({ host }) => `${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.`,
}

/**
 * Shuts down cleanly on Ctrl-C and `docker stop`: keeps serving for `drainSeconds` without being ready, finishes the requests sent by then,
 * and closes the database. Gives up 10 seconds later.
 */
export function closeOnSignal({ server, draining }: FastifyInstance, close: () => Promise<void>, drainSeconds = 0) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      draining.hasBegun = true
      await delay(drainSeconds * 1000)
      const timer = setTimeout(() => process.exit(1), 10_000)
      timer.unref()
      acceptWaiting(server)
        .then(close)
        .then(
          () => process.exit(0),
          () => process.exit(1),
        )
    })
  }
}

/** Runs the program; an error ends it with its message only, without a stack trace. */
export function runMain(main: () => Promise<void>) {
  process.umask(OWNER_ONLY)
  main().catch((error: unknown) => {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n\n`)
    process.exit(1)
  })
}

/** Finds a free port for `PORT=0`, because URLs in e-mails must contain the port before the server listens. */
export function findFreePort(host: string) {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

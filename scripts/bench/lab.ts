import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { pin } from './machine.ts'

export type MockAddress = { url: string; pid: number; token: string }

export type PortalAddress = {
  url: string
  pid: number
  /** Of the scenario `family`, one of whose trackers has a month of 50,000 positions. */
  token: string
  /** Tokens of accounts with 100 and 1,000 trackers. */
  fleets: Record<100 | 1000, string>
}

export type Floor = { url: string; pid: number; bytes: number }

/** A child process; its first message is the `address`. */
type Server<Address> = { address: Address; send: (message: object | string) => void; process: ChildProcess }

/** The servers and files of one run. Each server starts once, in a process of its own, when the first row needs it. */
export type Lab = {
  /** The server as in production: a database file, synchronous = FULL, rate limits on. */
  portal(): Promise<PortalAddress>
  /** The mock server, with journal and control plane. */
  mock(): Promise<MockAddress>
  /** A bare node:http server that sends the same bytes as `url`, or the given bytes. */
  floorOf(source: string | Buffer, headers?: Record<string, string>): Promise<Floor>
  /** Starts `servers/<name>.ts` once and returns its first message. */
  start<Address>(name: string): Promise<Server<Address>>
  /** Final size of the growing table, in millions of positions. */
  millions: number
  /** A folder that is removed at the end of the run. */
  folder: string
  close(): void
}

export function createLab({ millions }: { millions: number }): Lab {
  const folder = path.resolve('.cache/bench', String(process.pid))
  mkdirSync(folder, { recursive: true })
  const started = new Map<string, Promise<Server<unknown>>>()

  function start<Address>(name: string) {
    const server = started.get(name) ?? launch(name, folder)
    started.set(name, server)
    return server as Promise<Server<Address>>
  }
  return {
    folder,
    millions,
    start,
    portal: async () => (await start<PortalAddress>('portal')).address,
    mock: async () => (await start<MockAddress>('mock')).address,
    async floorOf(source: string | Buffer, headers: Record<string, string> = {}) {
      const bytes = typeof source === 'string' ? await read(source, headers) : source
      const floor = await start<string>('floor')
      const answer = once(floor.process, 'message')
      floor.send(bytes.toString('base64'))
      const [path] = await answer
      return { url: `${floor.address}${path}`, pid: floor.process.pid!, bytes: bytes.length }
    },
    close() {
      for (const server of started.values()) void server.then(({ process }) => process.kill())
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const bundles = new Map<string, Promise<string>>()

/**
 * The program of `servers/<name>.ts`, bundled as for production. tsx would run it more slowly, because it names each function that a call
 * creates.
 */
export function bundleServer(name: string, folder: string) {
  const bundle = bundles.get(name) ?? writeBundle(name, folder)
  bundles.set(name, bundle)
  return bundle
}

async function writeBundle(name: string, folder: string) {
  const outDir = path.join(folder, name)
  const rolldownOptions = { output: { entryFileNames: 'main.js' } }
  const target = { ssr: `scripts/bench/servers/${name}.ts`, outDir, target: 'node20', rolldownOptions }
  await build({ configFile: false, publicDir: false, logLevel: 'error', build: target })
  return path.join(outDir, 'main.js')
}

async function launch(name: string, folder: string): Promise<Server<unknown>> {
  const child = fork(await bundleServer(name, folder), [folder])
  const [address] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`servers/${name}.ts ended with ${code}`))),
  ])
  pin(child.pid!, 0)
  return { address, send: (message) => void child.send(message), process: child }
}

async function read(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers })
  if (!answer.ok) throw new Error(`${url} responded with ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

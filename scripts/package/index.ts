import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package; this file becomes `dist/package/esm/index.js` or `dist/package/cjs/index.js`. */
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')

/** Without it glibc keeps the memory of removed worlds' databases. Other systems ignore it. */
const GIVE_MEMORY_BACK = { MALLOC_MMAP_THRESHOLD_: '131072' }

export type ServerOptions = {
  /** Port; by default a free one. */
  port?: number
  /** Folder of the main world and of snapshots; by default a temporary one, which is removed with the server. */
  data?: string
  /** Folder of scenarios of your own: documents and modules. */
  scenarios?: string
  /** Further settings, such as `CONTROL_TOKEN` or `SEED_ANCHOR`. */
  env?: Record<string, string>
  /** Milliseconds until a server that does not respond counts as failed; by default a minute. */
  timeout?: number
}

export type RunningServer = {
  /** Origin of the server, such as `http://localhost:43127`. */
  url: string
  stop(): Promise<void>
}

/** Starts the local stack as a process of its own. Rejects with its output when it ends or does not respond in time. */
export async function startServer({ port = 0, data, scenarios, env = {}, timeout = 60_000 }: ServerOptions = {}): Promise<RunningServer> {
  const folder = data ?? mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
  const child = spawn(process.execPath, [path.join(ROOT, 'dist/server/mock.js')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...GIVE_MEMORY_BACK,
      ...process.env,
      NODE_ENV: '',
      // Vitest sets it for its own purposes.
      MODE: 'local',
      PORT: String(port),
      DATA_DIR: path.resolve(folder),
      LOG_LEVEL: 'warn',
      ...(scenarios && { SCENARIOS: path.resolve(scenarios) }),
      ...env,
    },
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    if (!data) rmSync(folder, { recursive: true, force: true })
  }
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The server ${reason}:\n${output.trim()}`))
    const timer = setTimeout(() => fail(`did not respond within ${timeout} ms`), timeout)
    const read = (part: Buffer) => {
      output += part
      const [origin] = /https?:\/\/localhost:\d+/.exec(output) ?? []
      if (origin) resolve(origin)
      if (origin) clearTimeout(timer)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => fail('has ended'))
  }).catch(async (error) => {
    await stop()
    throw error
  })
  return { url, stop }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

type Options = {
  env?: Record<string, string | undefined>
  /** Arguments of Node. */
  flags?: string[]
  /** Fills the data folder before the start. */
  prepare?: (folder: string) => void
}

/** Starts a built program with a data folder of its own, at a free port. */
export async function startBuiltServer(program: 'main.js' | 'mock.js', { env, flags = [], prepare }: Options = {}) {
  const data = mkdtempSync(path.join(tmpdir(), 'whereabouts-bench-'))
  prepare?.(data)
  const child = spawn(process.execPath, [...flags, `dist/server/${program}`], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', DATA_DIR: data, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
      const found = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(output)?.[1]
      if (found) resolve(`http://127.0.0.1:${found}`)
    })
    child.once('exit', (code) => reject(new Error(`The server exited with code ${code}: build it with npm run build`)))
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    origin,
    /** Resident memory in megabytes; undefined once the server has died. */
    readMemory: () =>
      hasEnded() || !existsSync(`/proc/${child.pid}/status`)
        ? 0
        : Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async [Symbol.asyncDispose]() {
      if (!hasEnded()) {
        child.kill()
        await once(child, 'exit')
      }
      rmSync(data, { recursive: true })
    },
  }
}

/** Signs in through the API. Returns the header of the session. */
export async function signIn(origin: string, user: object, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/api/v1/auth/web_get_token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(user),
  })
  if (!answer.ok) throw new Error(`The login was answered with ${answer.status}: ${await answer.text()}`)
  const { token } = (await answer.json()) as { token: string }
  return { authorization: `Bearer ${token}` }
}

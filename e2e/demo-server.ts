import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Starts a public demo in its own process; resolves to its origin once it is ready. */
export async function startDemoServer(settings: Record<string, string> = {}) {
  const data = mkdtempSync(path.join(tmpdir(), 'whereabouts-demo-'))
  const child = spawn(process.execPath, ['dist/server/mock.js', '--demo'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      const found = /Start page\s+(\S+)\/demo/.exec(said)?.[1]
      if (found) resolve(found)
    })
    ended.then((code) => reject(new Error(`The demo server exited with code ${code}`)))
  })
  return {
    origin,
    pid: child.pid!,
    async stop() {
      child.kill()
      await ended
      rmSync(data, { recursive: true })
    },
  }
}

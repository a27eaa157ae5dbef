import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '#server/http/process.ts'

const HOST = '127.0.0.1'
const START_TIMEOUT_MS = 60_000

export type Server = { origin: string; stop(): Promise<void> }

export async function startServer(): Promise<Server> {
  const port = await findFreePort(HOST)
  const data = mkdtempSync(path.join(tmpdir(), 'gallery-'))
  const origin = `http://${HOST}:${port}`
  const child = spawn(process.execPath, ['dist/server/mock.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST,
      PORTAL_ORIGIN: origin,
      DATA_DIR: data,
      RATE_LIMITS: 'off',
      SEED_ANCHOR: '2026-03-02T09:00:00Z',
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await waitForServer(`${origin}/healthz`)
  return {
    origin,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function waitForServer(url: string) {
  const end = Date.now() + START_TIMEOUT_MS
  while (Date.now() < end) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not start; build it with npm run build')
}

import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Io } from '#scripts/contracts/client/io.ts'
import type { Report } from '#scripts/contracts/reports/report.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { check } from './check.ts'

/** Ports that record output and never wait. */
export function testIo(changes: Partial<Io> = {}) {
  const said = { out: '', err: '' }
  const io: Io = {
    out(text) {
      said.out += text
    },
    err(text) {
      said.err += text
    },
    env: {},
    fetch,
    now: () => new Date('2026-03-02T09:00:00Z'),
    pause: async () => {},
    stop: new AbortController().signal,
    ...changes,
  }
  return { io, said }
}

export async function listeningPortal(options: Parameters<typeof startPortal>[0] = {}) {
  const portal = await startPortal({ noted: false, ...options })
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  return Object.assign(portal, { base: `http://127.0.0.1:${port}` })
}

/** A temporary folder, removed on disposal. */
export function folder() {
  const root = mkdtempSync(path.join(tmpdir(), 'contracts-'))
  return { at: (name: string) => path.join(root, name), [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

export const ALICE = ['--email', 'alice@example.com', '--password', 'Demo-1234']

/** Runs the checker without a rate limit and returns its JSON report. */
export async function checked(argv: string[], changes: Partial<Io> = {}) {
  using files = folder()
  const { io, said } = testIo(changes)
  const flags = ['--format', 'json', '--max-rps', '100000', '--clean-up', files.at('clean-up.json')]
  const code = await check([...flags, ...argv], io)
  return { code, err: said.err, report: (said.out ? JSON.parse(said.out) : null) as Report }
}

/** All findings of a report, one line each. */
export const found = ({ results }: Report) =>
  results.flatMap(({ level, name, title, verdict, findings }) =>
    findings
      .map((one) => [one.verdict, level, title ? `${name}, ${title}:` : `${name}:`, one.path, one.message].filter(Boolean).join(' '))
      .concat(verdict === 'unreachable' ? [`unreachable ${level} ${name}`] : []),
  )

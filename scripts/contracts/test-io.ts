import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Io } from '#scripts/contracts/client/io.ts'
import type { Report } from '#scripts/contracts/reports/report.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { runCheck } from './check.ts'

export function createTestIo(changes: Partial<Io> = {}) {
  const printed = { out: '', err: '' }
  const io: Io = {
    out(text) {
      printed.out += text
    },
    err(text) {
      printed.err += text
    },
    env: {},
    fetch,
    now: () => new Date('2026-03-02T09:00:00Z'),
    pause: async () => {},
    stop: new AbortController().signal,
    ...changes,
  }
  return { io, printed }
}

export async function startListeningPortal(options: Parameters<typeof startPortal>[0] = {}) {
  const portal = await startPortal({ noted: false, ...options })
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  return Object.assign(portal, { base: `http://127.0.0.1:${port}` })
}

export function createTempFolder() {
  const root = mkdtempSync(path.join(tmpdir(), 'contracts-'))
  return { at: (name: string) => path.join(root, name), [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

export const ALICE = ['--email', 'alice@example.com', '--password', 'Demo-1234']

export async function checkBackend(argv: string[], changes: Partial<Io> = {}) {
  using files = createTempFolder()
  const { io, printed } = createTestIo(changes)
  const flags = ['--format', 'json', '--max-rps', '100000', '--clean-up', files.at('clean-up.json')]
  const code = await runCheck([...flags, ...argv], io)
  return { code, err: printed.err, report: (printed.out ? JSON.parse(printed.out) : null) as Report }
}

export const formatFindings = ({ results }: Report) =>
  results.flatMap(({ level, name, title, verdict, findings }) =>
    findings
      .map((one) => [one.verdict, level, title ? `${name}, ${title}:` : `${name}:`, one.path, one.message].filter(Boolean).join(' '))
      .concat(verdict === 'unreachable' ? [`unreachable ${level} ${name}`] : []),
  )

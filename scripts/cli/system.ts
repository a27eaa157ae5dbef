import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createSystemIo } from '#scripts/contracts/index.ts'
import type { CliContext } from './command.ts'

/** Without it glibc keeps the memory of removed worlds' databases. Other systems ignore it. */
const GIVE_MEMORY_BACK = { MALLOC_MMAP_THRESHOLD_: '131072' }

/** The folder of this repository, whatever the current directory is. */
export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

const OPEN_COMMANDS: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }

/** Ports to the real machine; Ctrl-C aborts `stop`. */
export function createSystemPorts(): CliContext['io'] {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return {
    ...createSystemIo(stop.signal),
    open(url) {
      const [command, ...args] = OPEN_COMMANDS[process.platform] ?? ['xdg-open']
      spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
        .on('error', () => undefined)
        .unref()
    },
    async start(args, env) {
      const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...GIVE_MEMORY_BACK, ...process.env, ...env } })
      stop.signal.addEventListener('abort', () => child.kill('SIGTERM'))
      const [code] = (await once(child, 'exit')) as [number | null]
      return code ?? 0
    },
    lines: () => createInterface({ input: process.stdin }),
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemIo } from '#scripts/contracts/client/io.ts'
import type { Context } from './command.ts'
import { ROOT } from './root.ts'

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }

/** Ports to the real machine; Ctrl-C aborts `stop`. */
export function system(): Context['io'] {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return {
    ...systemIo(stop.signal),
    open(url) {
      const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
      spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
        .on('error', () => undefined)
        .unref()
    },
    async start(args, env) {
      const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })
      stop.signal.addEventListener('abort', () => child.kill('SIGTERM'))
      const [code] = (await once(child, 'exit')) as [number | null]
      return code ?? 0
    },
  }
}

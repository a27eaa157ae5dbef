import { setTimeout as pause } from 'node:timers/promises'

/** Ports of the checker and the proxy, so that tests and the CLI can pass their own. */
export type Io = {
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  fetch: typeof fetch
  now(): Date
  pause(ms: number): Promise<unknown>
  /** Ends programs that otherwise run forever. */
  stop: AbortSignal
}

export const systemIo = (stop: AbortSignal): Io => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  fetch,
  now: () => new Date(),
  pause,
  stop,
})

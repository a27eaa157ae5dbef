import { setTimeout as pause } from 'node:timers/promises'

/** What the checker and the proxy need of the outside; another program hands in its own. */
export type Io = {
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  fetch: typeof fetch
  now(): Date
  pause(ms: number): Promise<unknown>
  /** Ends what goes on until somebody stops it. */
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

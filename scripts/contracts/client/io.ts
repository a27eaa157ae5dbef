import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** What a user sees of the portal after signing in; or why the portal was not opened, and whether that was tried. */
export type Visit = { isOpen: true; trackers: number; onMap: number } | { isOpen: false; isTried: boolean; reason: string }
export type VisitPlan = { base: string; config: Record<string, unknown>; as: { email: string; password: string } | { token: string } }

/** Ports of the checker and the proxy, so that tests and the CLI can pass their own. */
export type Io = {
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  fetch: typeof fetch
  now(): Date
  pause(ms: number): Promise<unknown>
  stop: AbortSignal
  /** Opens the built portal with the backend; absent where that is not possible. */
  visitPortal?(plan: VisitPlan): Promise<Visit>
}

export const createSystemIo = (stop: AbortSignal): Io => ({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
  fetch,
  now: () => new Date(),
  pause,
  stop,
})

/** The check could not run; the message is the reason, in one line. */
export class CannotRun extends Error {}

export const EXIT_CLEAN = 0
export const EXIT_BROKEN = 1
export const EXIT_COULD_NOT_RUN = 2

/** Runs a program and turns `CannotRun` into one line of error and the exit code 2. */
export async function runProgram(run: () => Promise<number>, say: (text: string) => void): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(`${error.message}\n`)
    return EXIT_COULD_NOT_RUN
  }
}

export function saveFile(file: string, text: string) {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw new CannotRun(`${file} can't be written: ${(error as Error).message}`)
  }
}

/** Nothing could be checked; the message is the reason, in one line. */
export class CannotRun extends Error {}

export const CLEAN = 0
export const BROKEN = 1
const COULD_NOT_RUN = 2

/** Runs a program and turns `CannotRun` into one line of error and the exit code 2. */
export async function exitCode(run: () => Promise<number>, say: (text: string) => void): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(`${error.message}\n`)
    return COULD_NOT_RUN
  }
}

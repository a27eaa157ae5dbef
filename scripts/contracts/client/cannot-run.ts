/** Nothing could be checked; the message is the one line that says why. */
export class CannotRun extends Error {}

export const CLEAN = 0
export const BROKEN = 1
const COULD_NOT_RUN = 2

/** The exit code of a program; what it could not run for is told in a line. */
export async function exitCode(run: () => Promise<number>, say: (text: string) => void): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    say(`${error.message}\n`)
    return COULD_NOT_RUN
  }
}

/** The portal's only voice in the console: failures that nobody is shown. */
export const log = {
  failure(what: string, details: unknown) {
    // biome-ignore lint/suspicious/noConsole: the one place that may write there
    console.error(what, details)
  },
}

export type Log = typeof log

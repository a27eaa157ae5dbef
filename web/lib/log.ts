/** The only writer to the console, for failures that are not shown to the user. */
export const log = {
  failure(what: string, details: unknown) {
    // biome-ignore lint/suspicious/noConsole: the one place that may write there
    console.error(what, details)
  },
}

export type Log = typeof log

/** Repeats `work` until stopped, one run at a time; `stop` waits for the run in progress. */
export function runPeriodically(work: () => Promise<unknown>, everyMs: number) {
  let running: Promise<unknown> | undefined
  const run = () => {
    running ??= work().finally(() => {
      running = undefined
    })
  }
  run()
  const timer = setInterval(run, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

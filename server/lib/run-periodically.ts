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

type Running = { stop(): Promise<unknown> }

const LOOK_MS = 1000

/** Runs work while a condition holds: starts it, and stops and restarts it when that changes. `stop` waits for all of it. */
export function runWhile(holds: () => boolean, start: () => Running[]) {
  let running: Running[] = []
  const stopAll = async () => {
    const stopped = running
    running = []
    await Promise.all(stopped.map((work) => work.stop()))
  }
  const look = runPeriodically(async () => {
    if (!holds()) await stopAll()
    else if (running.length === 0) running = start()
  }, LOOK_MS)
  return {
    async stop() {
      await look.stop()
      await stopAll()
    },
  }
}

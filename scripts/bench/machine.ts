import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const SPIN_MS = 100
/** A gap between two readings of the clock that is longer than this means that another process ran. */
const GAP_MS = 0.05

/**
 * Share of the time, and longest gap in ms, in which this process wanted the CPU but did not get it. A host that steals CPU time shows in
 * no counter.
 */
function measureGaps(forMs = SPIN_MS) {
  const begin = performance.now()
  let [last, lost, longest] = [begin, 0, 0]
  while (last - begin < forMs) {
    const now = performance.now()
    const gap = now - last
    if (gap > GAP_MS) lost += gap
    if (gap > longest) longest = gap
    last = now
  }
  return { lost: lost / (last - begin), longest }
}

/** Clock ticks of all CPUs: those reported as stolen by the host, and the total. */
function readTicks() {
  try {
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1).map(Number)
    return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, count) => sum + count, 0) }
  } catch {
    return { stolen: 0, all: 1 }
  }
}

/** Measures how much of the machine the run got: call `look` between rows. */
export function watchMachine() {
  const before = readTicks()
  const gaps: ReturnType<typeof measureGaps>[] = []
  return {
    look: () => void gaps.push(measureGaps()),
    report() {
      const now = readTicks()
      return {
        stolen: (now.stolen - before.stolen) / Math.max(1, now.all - before.all),
        lost: gaps.reduce((sum, { lost }) => sum + lost, 0) / Math.max(1, gaps.length),
        longest: Math.max(0, ...gaps.map(({ longest }) => longest)),
      }
    },
  }
}

/** Pins a process and its threads to one core, so that servers and load do not share one. Does nothing where this is impossible. */
export function pin(pid: number, core: 0 | 1) {
  if (availableParallelism() < 2 && core === 1) return
  try {
    execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    // No taskset on this system: the scheduler decides.
  }
}

/** Returns the CPU time in ms that a process has used, with all its threads. */
export const readCpuMs = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readThreadMs(`/proc/${pid}/task/${thread}/schedstat`), 0)

function readThreadMs(file: string) {
  try {
    return Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return 0 // the thread has ended
  }
}

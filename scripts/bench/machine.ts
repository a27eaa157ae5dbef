import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

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

/** The processes that a process has started and that still run. */
export const listChildren = (pid: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((child) => child > 0 && readParent(child) === pid)

function readParent(pid: number) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0 // the process has ended
  }
}

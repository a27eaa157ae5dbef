import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'ignore', 'pipe'] })

/**
 * Runs work in a worktree of the newest commit, with the packages and the builds of this folder, and removes it afterwards. Whatever the work
 * writes there, and however it ends, the files of this folder stay as they are. A signal aborts `stop`, and ends the process after the work.
 */
export async function workInOwnWorktree(work: (stop: AbortSignal) => Promise<void>) {
  const [home, folder] = [process.cwd(), mkdtempSync(path.join(tmpdir(), 'whereabouts-worktree-'))]
  const controller = new AbortController()
  const stop = (signal: (typeof SIGNALS)[number]) => {
    process.exitCode = 128 + constants.signals[signal]
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    git('worktree', 'add', '--detach', folder, 'HEAD')
    if (existsSync('node_modules')) symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction')
    if (existsSync('dist')) cpSync('dist', path.join(folder, 'dist'), { recursive: true })
    process.chdir(folder)
    await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    process.chdir(home)
    git('worktree', 'remove', '--force', folder)
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

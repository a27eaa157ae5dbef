import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-planted-'))
const limit = path.join(folder, 'limit.txt')
const toUrl = (file: string) => pathToFileURL(path.resolve(file)).href
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8' })
const listWorktrees = () => [...git('worktree', 'list', '--porcelain').matchAll(/^worktree (.*)$/gm)].map(([, name]) => name!)

beforeAll(() => {
  writeFileSync(limit, '5')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
})
afterAll(() => {
  for (const left of listWorktrees().slice(1)) git('worktree', 'remove', '--force', left)
  rmSync(folder, { recursive: true })
})

/** An open handle keeps the process alive. */
const UNTIL_STOPPED = "const server = createServer().listen(0); await once(stop, 'abort'); server.close()"

/** Starts a process that plants a mistake, says so and then does what `end` says. */
function plant(end: string) {
  const program = `
    import { once } from 'node:events'
    import { writeFileSync } from 'node:fs'
    import { createServer } from 'node:net'
    import { workInOwnWorktree } from ${JSON.stringify(toUrl('scripts/test/changed/proof/own-worktree.ts'))}
    await workInOwnWorktree(async (stop) => {
      writeFileSync('limit.txt', '6')
      console.log('planted')
      ${end}
    })`
  const args = ['--import', toUrl('node_modules/tsx/dist/loader.mjs'), '--input-type=module', '--eval', program]
  return spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('after %s the planted mistake is in no file of the project, and its worktree is removed', async (signal, exitCode) => {
  const child = plant(UNTIL_STOPPED)
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await once(child, 'close')).toEqual([exitCode, null])
  expect(readFileSync(limit, 'utf8')).toBe('5')
  expect(listWorktrees()).toHaveLength(1)
})

test('after work that fails the planted mistake is in no file of the project, and its worktree is removed', async () => {
  const child = plant("throw new Error('broken')")
  expect(await once(child, 'close')).toEqual([1, null])
  expect(readFileSync(limit, 'utf8')).toBe('5')
  expect(listWorktrees()).toHaveLength(1)
})

test('the planted mistake is in no file of the project even after SIGKILL', async () => {
  const child = plant(UNTIL_STOPPED)
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(readFileSync(limit, 'utf8')).toBe('5')
})

import { spawn, spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** Ends setup; the message says what is wrong and how to fix it. */
export class SetupError extends Error {}

export const print = (text) => console.log(`setup: ${text}`)

export const formatSeconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const windows = process.platform === 'win32'

const createOptions = (root, env) => ({
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`, ...env },
  shell: windows,
})

export const run = (root, command, args, env = {}) => spawnSync(command, args, createOptions(root, env)).status === 0

/** Like `run`, but in parallel to what follows: resolves to whether it succeeded. It ends with this process. */
export const runMeanwhile = (root, command, args, env = {}) => {
  const child = spawn(command, args, createOptions(root, env))
  const end = () => child.kill()
  process.once('exit', end)
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => {
      process.off('exit', end)
      resolve(code === 0)
    })
  })
}

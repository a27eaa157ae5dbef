import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** Ends setup; the message says what is wrong and what to do about it. */
export class SetupError extends Error {}

export const print = (text) => console.log(`setup: ${text}`)

export const formatSeconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const windows = process.platform === 'win32'

export const run = (root, command, args, env = {}) => {
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path, ...env },
    shell: windows,
  })
  return done.status === 0
}

import { spawn } from 'node:child_process'
import { delimiter, resolve } from 'node:path'

export type Answer = { status: number; output: string }

/** Runs a tool and collects its output; a tool that exceeds `limit` ms is killed. */
export const command = (name: string, args: string[], { limit = 180_000, cwd = '.' } = {}): Promise<Answer> =>
  new Promise((done) => {
    const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: '1' }
    const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limit, shell: process.platform === 'win32' })
    let output = ''
    child.stdout.on('data', (part) => (output += part))
    child.stderr.on('data', (part) => (output += part))
    child.on('error', (error) => done({ status: 127, output: `${name}: ${error.message}` }))
    child.on('close', (status) => done({ status: status ?? 1, output }))
  })

/** Returns the output lines of a failed tool as problems. */
export const asProblems = ({ status, output }: Answer) => (status === 0 ? [] : output.split('\n').filter((line) => line.trim() !== ''))

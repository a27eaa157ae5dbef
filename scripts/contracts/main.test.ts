import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const start = (...argv: string[]) => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/contracts/main.ts', ...argv, '--base', 'http://127.0.0.1:1'])
  return { child, code: once(child, 'close').then(([code]) => code as number), err: text(child.stderr) }
}

test('main exits with the exit code of the program', async () => {
  const { code, err } = start('check')
  expect([await code, await err]).toEqual([2, expect.stringMatching(/^contracts:check: http:\/\/127\.0\.0\.1:1 can't be reached: .+\n$/)])
})

test('Ctrl-C ends the proxy with its summary', async () => {
  const { child, code, err } = start('proxy', '--port', '0')
  let out = ''
  for await (const piece of child.stdout) {
    out += piece
    if (out.includes('Ctrl-C stops it') && !out.includes('"calls"')) child.kill('SIGINT')
  }
  expect(out).toContain('"calls": 0')
  expect([await code, await err]).toEqual([0, ''])
})

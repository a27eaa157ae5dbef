import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './lock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a folder is locked until it is released', () => {
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`Another server uses the data folder ${folder}.`)
  unlock()
  lockFolder(folder)()
})

test('the lock of a killed process is released at once', async () => {
  const script = `import(${JSON.stringify(path.resolve('db/sqlite/lock.ts'))}).then(({ lockFolder }) => {
    lockFolder(${JSON.stringify(folder)})
    console.log('locked')
    setInterval(() => {}, 1000)
  })`
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  expect(() => lockFolder(folder)).toThrow('Another server uses the data folder')
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder)()
})

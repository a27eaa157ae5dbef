import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { NO_RECORD } from '#scripts/test/changed/call-record.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-no-record-'))
symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'junction')
afterAll(() => rmSync(folder, { recursive: true }))

const run = (program: string, ...args: string[]) =>
  spawnSync(
    process.execPath,
    ['--import', pathToFileURL(path.resolve('node_modules/tsx/dist/loader.mjs')).href, path.resolve(program), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )

test('without a record --changed and test:changed-proof say how to make one and exit with 2', () => {
  for (const { status, stderr } of [run('scripts/test.ts', '--changed'), run('scripts/test-changed-proof.ts')])
    expect([status, stderr.trim()]).toEqual([2, NO_RECORD])
})

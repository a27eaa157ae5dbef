import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildOnce } from './build-once.ts'

const NAME = `test-${process.pid}`
let folder: string
let source: string
let made: string[]

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-build-'))
  source = path.join(folder, 'source.ts')
  writeFileSync(source, 'one')
  made = []
})

afterEach(() => {
  for (const file of [...made, folder]) rmSync(file, { recursive: true, force: true })
})

async function build() {
  let count = 0
  const file = await buildOnce(NAME, [source], async (target) => {
    count++
    writeFileSync(target, `from ${readFileSync(source, 'utf8')}`)
  })
  made.push(file)
  return { file, count }
}

test('what was built is used again until a source changes', async () => {
  const first = await build()
  expect(first.count).toBe(1)
  expect(await build()).toEqual({ file: first.file, count: 0 })
  writeFileSync(source, 'two')
  const second = await build()
  expect(second.count).toBe(1)
  expect(readFileSync(second.file, 'utf8')).toBe('from two')
  writeFileSync(source, 'one')
  expect(await build()).toEqual({ file: first.file, count: 0 })
})

test('a build that fails leaves nothing, so the next run builds again', async () => {
  const fail = buildOnce(NAME, [source], async (target) => {
    writeFileSync(target, 'half')
    throw new Error('disk full')
  })
  await expect(fail).rejects.toThrow('disk full')
  expect((await build()).count).toBe(1)
})

test('what no run has used for a day is removed when another is built', async () => {
  const old = await build()
  writeFileSync(source, 'two')
  const recent = await build()
  const [longAgo, earlier] = [26, 22].map((hours) => new Date(Date.now() - hours * 3_600_000)) as [Date, Date]
  utimesSync(old.file, longAgo, longAgo)
  utimesSync(recent.file, earlier, earlier)
  writeFileSync(source, 'three')
  await build()
  expect([old.file, recent.file].map((file) => existsSync(file))).toEqual([false, true])
})

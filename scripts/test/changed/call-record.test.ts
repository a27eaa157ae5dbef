import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRecord, mergeCalls, readRecord, writeRecord } from './call-record.ts'

const folder = mkdtempSync(join(tmpdir(), 'whereabouts-calls-'))
afterAll(() => rmSync(folder, { recursive: true }))

const FILE = 'contracts/rules/link.ts'

let count = 0
const write = (part: object) => writeFileSync(join(folder, `${count++}.json`), JSON.stringify(part))

/** Names of the tests that called the first or the second function of the file. */
const listTests = (record: ReturnType<typeof createRecord>) =>
  Object.values(record.functions[FILE] ?? {}).map((callers) => callers.map((number) => record.callers[number]!.name))

test('a second run replaces the calls of its tests and leaves those of others', () => {
  write({ test: 'a.test.ts', seconds: 1, calls: { [FILE]: [0] }, endpoints: { 'links.create': { [FILE]: [1] } } })
  write({ test: 'b.test.ts', seconds: 2, calls: { [FILE]: [0] } })
  const record = createRecord()
  expect(mergeCalls(record, folder)).toBe(2)
  expect(listTests(record)).toEqual([['a.test.ts', 'b.test.ts'], ['endpoint links.create']])
  expect(record.endpoints).toEqual({ 'links.create': [0] })

  for (let file = 0; file < count; file++) rmSync(join(folder, `${file}.json`))
  write({ test: 'a.test.ts', seconds: 3, calls: { [FILE]: [1] } })
  mergeCalls(record, folder)
  expect(listTests(record)).toEqual([['b.test.ts'], ['endpoint links.create', 'a.test.ts']])
  expect(record.callers.map(({ seconds }) => seconds)).toEqual([3, 2, 0])
})

test('a browser test is recorded with the endpoints of its requests and the modules of the files that its pages load', () => {
  const [calls, modules] = [mkdtempSync(join(folder, 'browser-')), mkdtempSync(join(folder, 'modules-'))]
  const spec = 'e2e/places/places.spec.ts'
  const home = {
    '/assets/home-1234567.js': ['web/home/home-screen.tsx', 'web/ui/badge.tsx'],
    '/assets/team-7654321.js': ['web/team/users-screen.tsx'],
  }
  writeFileSync(join(modules, 'web.json'), JSON.stringify(home))
  writeFileSync(join(modules, 'panel.json'), JSON.stringify({ '/mock/panel/panel.js': ['server/mock/panel/main.ts'] }))
  const writeRequests = (name: string, ...requests: string[]) => writeFileSync(join(calls, name), JSON.stringify({ spec, requests }))
  writeRequests('one.json', 'GET /assets/home-1234567.js', 'GET /tracker_places/')
  writeRequests('two.json', 'GET /mock/panel/panel.js', 'PATCH /tracker_places/7/', 'GET /unknown')
  const record = createRecord()
  mergeCalls(record, calls, modules)
  expect(record.browser).toEqual({
    [spec]: {
      endpoints: ['places.list', 'places.update'],
      modules: ['web/home/home-screen.tsx', 'web/ui/badge.tsx', 'server/mock/panel/main.ts'],
    },
  })
})

test('a test file that failed keeps its former calls, because it may have stopped early', () => {
  const calls = mkdtempSync(join(folder, 'failed-'))
  const writeAll = (...parts: object[]) => {
    for (const [index, part] of parts.entries()) writeFileSync(join(calls, `${index}.json`), JSON.stringify(part))
  }
  const spec = 'e2e/places/places.spec.ts'
  writeAll({ test: 'a.test.ts', seconds: 1, calls: { [FILE]: [0] } }, { spec, requests: ['GET /tracker_places/'] })
  const record = createRecord()
  expect(mergeCalls(record, calls)).toBe(2)
  writeAll({ test: 'a.test.ts', hasFailed: true, seconds: 1, calls: {} }, { spec, hasFailed: true, requests: [] })
  expect(mergeCalls(record, calls)).toBe(0)
  expect(listTests(record)).toEqual([['a.test.ts']])
  expect(record.browser[spec]?.endpoints).toEqual(['places.list'])
})

test('a record is read as it was written', () => {
  const record = { ...createRecord(), callers: [{ name: 'a.test.ts', seconds: 1 }] }
  const file = join(folder, 'record.gz')
  writeRecord(record, file)
  expect(readRecord(file)).toEqual(record)
  expect(readRecord(join(folder, 'none.gz'))).toBeUndefined()
})

test('the record of a killed program is the last file that it completed', () => {
  const calls = mkdtempSync(join(folder, 'killed-'))
  writeFileSync(join(calls, 'process-1-0.json'), JSON.stringify({ test: 'a.test.ts', seconds: 0, calls: { [FILE]: [0] } }))
  writeFileSync(join(calls, 'process-1-0.part'), '{"test":"a.te')
  const record = createRecord()
  expect(mergeCalls(record, calls)).toBe(1)
  expect(listTests(record)).toEqual([['a.test.ts']])
})

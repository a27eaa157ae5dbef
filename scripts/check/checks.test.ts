import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkHosts } from './built-portal.ts'
import { checkLock, checkOpenapi } from './checks.ts'
import { checkForbiddenText } from './forbidden-text.ts'
import { checkLayers } from './layers.ts'
import { formatResult, requireFiles, runChecks } from './runner.ts'
import { checkSizes } from './sizes.ts'

test('results keep the given order, and each line shows the number of files and the remark', async () => {
  const said: string[] = []
  const slow = () =>
    new Promise<{ fileCount: number; problems: string[] }>((done) => setTimeout(() => done({ fileCount: 2, problems: [] }), 20))
  const results = await runChecks({ slow, quick: () => ({ fileCount: 1, problems: ['x'], remark: 'r' }) }, 2, (line) => said.push(line))
  expect(results.map(({ name }) => name)).toEqual(['slow', 'quick'])
  expect(said[0]).toMatch(/^FAILED +quick +1 files +0\.0 s {2}r$/)
  expect(said[1]).toMatch(/^ok +slow +2 files/)
})

test('a check that throws or looks at no file fails', async () => {
  const broken = () => {
    throw new Error('boom')
  }
  const results = await runChecks({ broken, blind: () => ({ fileCount: 0, problems: [] }) }, 1, () => undefined)
  expect(results.map(({ finding }) => finding.problems[0])).toEqual([
    expect.stringContaining('boom'),
    expect.stringContaining('examined no file'),
  ])
})

test('the line of a skipped check shows the reason', () => {
  const line = formatResult({ name: 'audit', finding: { fileCount: 0, problems: [], skipped: 'the registry is unreachable' }, seconds: 1 })
  expect(line).toMatch(/^skipped audit.*the registry is unreachable$/)
})

test('every check that examined no file fails', async () => {
  expect(
    await collectFailures(
      [checkForbiddenText, checkHosts, checkLayers, checkSizes],
      ({ name }) => name,
      (check) => expect(requireFiles(check(new Map())).problems.join()).toContain('examined no file'),
    ),
  ).toEqual([])
})

test('a check that was skipped for a reason passes without files', () => {
  expect(requireFiles({ fileCount: 0, problems: [], skipped: 'no connection' }).problems).toEqual([])
})

const filesOf = (entries: Record<string, string>) => new Map(Object.entries(entries))

test('a missing and an outdated OpenAPI file are reported', () => {
  expect(checkOpenapi(filesOf({}), { 'docs/openapi.json': '{}' }).problems.join()).toContain('missing')
  expect(checkOpenapi(filesOf({ 'docs/openapi.json': '{}' }), { 'docs/openapi.json': '{"a":1}' }).problems.join()).toContain('differs')
  expect(checkOpenapi(filesOf({ 'docs/openapi.json': '{}' }), { 'docs/openapi.json': '{}' }).problems).toEqual([])
})

test('a package that the lock file lacks, has in another version or has too many is reported', () => {
  const check = (packages: object) =>
    checkLock(
      filesOf({ 'package.json': '{"dependencies":{"zod":"4.0.0"}}', 'package-lock.json': JSON.stringify({ packages }) }),
    ).problems.join()
  const locked = { 'node_modules/zod': { version: '4.0.0' } }
  expect(check({ '': { dependencies: { zod: '4.0.0' } }, ...locked })).toBe('')
  expect(check({ '': { dependencies: {} } })).toContain('zod')
  expect(check({ '': { dependencies: { zod: '4.0.0' } } })).toContain('zod')
  expect(check({ '': { dependencies: { zod: '3.0.0' } }, ...locked })).toContain('zod')
  expect(check({ '': { dependencies: { zod: '4.0.0', leftpad: '1.0.0' } }, ...locked })).toContain('leftpad')
})

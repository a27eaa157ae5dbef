import { expect, test } from 'vitest'
import { resultLine, runChecks } from './run.ts'

test('results keep the given order, and each line shows the number of files and the remark', async () => {
  const said: string[] = []
  const slow = () => new Promise<{ looked: number; problems: string[] }>((done) => setTimeout(() => done({ looked: 2, problems: [] }), 20))
  const results = await runChecks({ slow, quick: () => ({ looked: 1, problems: ['x'], remark: 'r' }) }, 2, (line) => said.push(line))
  expect(results.map(({ name }) => name)).toEqual(['slow', 'quick'])
  expect(said[0]).toMatch(/^FAILED +quick +1 files +0\.0 s {2}r$/)
  expect(said[1]).toMatch(/^ok +slow +2 files/)
})

test('a check that throws or looks at no file fails', async () => {
  const broken = () => {
    throw new Error('boom')
  }
  const results = await runChecks({ broken, blind: () => ({ looked: 0, problems: [] }) }, 1, () => undefined)
  expect(results.map(({ finding }) => finding.problems[0])).toEqual([
    expect.stringContaining('boom'),
    expect.stringContaining('no file at all'),
  ])
})

test('the line of a skipped check shows the reason', () => {
  const line = resultLine({ name: 'audit', finding: { looked: 0, problems: [], skipped: 'the registry gave no answer' }, seconds: 1 })
  expect(line).toMatch(/^skipped audit.*the registry gave no answer$/)
})

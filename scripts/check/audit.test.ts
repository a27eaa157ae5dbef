import { expect, test } from 'vitest'
import { judgeAudit } from './audit.ts'

const report = (severity: string) =>
  JSON.stringify({ vulnerabilities: { left: { name: 'left', severity } }, metadata: { vulnerabilities: {}, dependencies: { prod: 9 } } })

test('an advisory of high or critical severity fails the audit, a moderate one does not', () => {
  expect(judgeAudit(report('high')).problems).toHaveLength(1)
  expect(judgeAudit(report('critical')).problems).toHaveLength(1)
  expect(judgeAudit(report('moderate'))).toEqual({ looked: 9, problems: [] })
})

test.each(['', 'npm error network', '{"error":{"code":"ENOTFOUND"}}', '{"message":"not found"}'])(
  'no answer is no failure: %s',
  (output) => {
    expect(judgeAudit(output)).toMatchObject({ problems: [], skipped: 'the registry gave no answer' })
  },
)

import { expect, test } from 'vitest'
import { startDemo } from '#server/mock/demo/test-demo.ts'
import { formatReport, runSoak } from './soak.ts'

test('a few visitors for a second get no errors, and the report shows the figures', async () => {
  await using demo = await startDemo({ TRUST_PROXY: '1' })
  const origin = await demo.app.listen({ host: '127.0.0.1', port: 0 })
  const result = await runSoak({ origin, pid: process.pid }, { visitors: 5, seconds: 1 })
  expect(result.refused).toBe(0)
  expect(result.calls).toBeGreaterThanOrEqual(5)
  expect(demo.worlds.all()).toHaveLength(6)
  expect(formatReport(result)).toMatch(/^\d+ calls, 0 refused, p95 \d+ ms .*\nmemory: \d+ MB at the start, \d+ MB warm, \d+ MB at the end/)
  expect(formatReport({ ...result, holds: false })).toContain('It does not hold.')
})

import { expect, test } from 'vitest'
import type { TheftReport } from '#contracts/theft.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { formatDateTimeLocal, listTheftEvents } from './theft-report.ts'

test('an unknown date leaves its field empty and hides no event', () => {
  expect(formatDateTimeLocal('')).toBe('')
  const report = { date: '', created_at: '2026-03-01T09:00:00Z', closed_at: null } as TheftReport
  expect(listTheftEvents(report, sampleDevice()).map(({ is }) => is)).toContain('reported')
})

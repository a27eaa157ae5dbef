import { formatInstant } from '#contracts/rules/time.ts'
import type { TheftReport } from '#contracts/theft.ts'
import type { ReportRow } from './theft.store.ts'

export const presentReport = (report: ReportRow): TheftReport => ({
  id: report.id,
  device: report.deviceId,
  date: formatInstant(report.date),
  address: report.address,
  description: report.description,
  police_reference: report.policeReference,
  status: report.status,
  created_at: formatInstant(report.createdAt),
  closed_at: report.closedAt && formatInstant(report.closedAt),
})

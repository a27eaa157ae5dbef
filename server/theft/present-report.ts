import { wire } from '#contracts/rules/time.ts'
import type { TheftReport } from '#contracts/theft.ts'
import type { ReportRow } from './theft.store.ts'

export const presentReport = (report: ReportRow): TheftReport => ({
  id: report.id,
  device: report.deviceId,
  date: wire(report.date),
  address: report.address,
  description: report.description,
  police_reference: report.policeReference,
  status: report.status,
  created_at: wire(report.createdAt),
  closed_at: report.closedAt && wire(report.closedAt),
})

import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { MINUTE_MS, millisOrOldest } from '#contracts/rules/time.ts'
import type { TheftReport } from '#contracts/theft.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { clock } from '#web/lib/clock.ts'

/** The date is local wall-clock time and must not be in the future. */
export const ReportForm = z.object({
  date: z.string().check(z.refine((date) => new Date(date) <= clock.now())),
  address: Text(1, TEXT_LENGTH.address),
  description: Text(1, TEXT_LENGTH.description),
  police_reference: Text(0, TEXT_LENGTH.policeReference),
})

export const buildReport = ({ date, police_reference, ...rest }: z.output<typeof ReportForm>) => ({
  ...rest,
  date: new Date(date).toISOString(),
  police_reference: police_reference || null,
})

/** Formats an instant for a `datetime-local` field in the browser's time zone; empty for an invalid one. */
export const formatDateTimeLocal = (at: string | Date) => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return ''
  return new Date(instant.getTime() - instant.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

type TheftEvent = { at: string; is: 'theft' | 'reported' | 'ended' | 'position' } | { at: string; is: 'event'; type: string }

/** Events since the theft, newest first. */
export function listTheftEvents(report: TheftReport, { tracker_status: { last_event, last_position } }: Device): TheftEvent[] {
  const events: TheftEvent[] = [
    { at: report.date, is: 'theft' },
    { at: report.created_at, is: 'reported' },
    ...(report.closed_at ? [{ at: report.closed_at, is: 'ended' } as const] : []),
    ...(last_position ? [{ at: last_position.datetime, is: 'position' } as const] : []),
    ...(last_event && last_event.type !== 'position' ? [{ at: last_event.datetime, is: 'event', type: last_event.type } as const] : []),
  ]
  return events
    .filter(({ at }) => millisOrOldest(at) >= millisOrOldest(report.date))
    .toSorted((a, b) => millisOrOldest(b.at) - millisOrOldest(a.at))
}

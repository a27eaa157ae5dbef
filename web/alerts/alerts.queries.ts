import { queryOptions } from '@tanstack/react-query'
import type { Alert } from '#contracts/alerts.ts'
import { calls } from './alerts.calls.ts'

export const alertsQuery = () => queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => calls.list({}, { signal }) })

/** One alert from the list; undefined if the account has no such alert. */
export const alertQuery = (id: number) =>
  queryOptions({ ...alertsQuery(), select: (alerts: Alert[]) => alerts.find((alert) => alert.id === id) })

import { queryOptions } from '@tanstack/react-query'
import type { Alert } from '#contracts/alerts.ts'
import { calls } from './alerts.calls.ts'

/** Every alert of the account (E-46). */
export const alertsQuery = () => queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => calls.list({}, { signal }) })

/** One alert of the same list; undefined is nobody's or somebody else's. */
export const alertQuery = (id: number) =>
  queryOptions({ ...alertsQuery(), select: (alerts: Alert[]) => alerts.find((alert) => alert.id === id) })

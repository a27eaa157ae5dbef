import { queryOptions } from '@tanstack/react-query'
import type { Alert } from '#contracts/alerts.ts'
import { alerts } from '#contracts/alerts.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'
import { orMissing } from '#web/lib/api/features.ts'

export const alertsApi = createClient(alerts, clientPorts)

export const alertKeys = { all: ['alerts'] } as const

export const alertsQuery = () =>
  queryOptions({ queryKey: alertKeys.all, queryFn: ({ signal }) => orMissing('alerts', () => alertsApi.list({}, { signal }), []) })

/** One alert from the list; undefined if the account has no such alert. */
export const alertQuery = (id: number) =>
  queryOptions({ ...alertsQuery(), select: (alerts: Alert[]) => alerts.find((alert) => alert.id === id) })

import { queryOptions } from '@tanstack/react-query'
import { type Alert, alertSwitch, alerts } from '#contracts/alerts.ts'
import { contacts } from '#contracts/contacts.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'

export const contactsApi = createClient(contacts, clientPorts)

const contactKeys = { all: ['contacts'] } as const

/** Sorted by name. */
export const contactsQuery = () =>
  queryOptions({ queryKey: contactKeys.all, queryFn: ({ signal }) => orMissing('contacts', () => contactsApi.list({}, { signal }), []) })

export const alertsApi = createClient(alerts, clientPorts)

const switchApi = createClient(alertSwitch, clientPorts)

export const switchAlert = (id: number, on: boolean) => switchApi.set({ params: { id }, body: { on } })

export const alertKeys = { all: ['alerts'] } as const

export const alertsQuery = () =>
  queryOptions({ queryKey: alertKeys.all, queryFn: ({ signal }) => orMissing('alerts', () => alertsApi.list({}, { signal }), []) })

/** One alert from the list; undefined if the account has no such alert. */
export const alertQuery = (id: number) =>
  queryOptions({ ...alertsQuery(), select: (alerts: Alert[]) => alerts.find((alert) => alert.id === id) })

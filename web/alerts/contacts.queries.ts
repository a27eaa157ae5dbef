import { queryOptions } from '@tanstack/react-query'
import { contacts } from '#contracts/contacts.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'

export const contactsApi = createClient(contacts, clientPorts)

const contactKeys = { all: ['contacts'] } as const

/** Sorted by name. */
export const contactsQuery = () => queryOptions({ queryKey: contactKeys.all, queryFn: ({ signal }) => contactsApi.list({}, { signal }) })

import { queryOptions } from '@tanstack/react-query'
import { contacts } from '#contracts/contacts.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/api/features.ts'

export const contactsApi = createClient(contacts, clientPorts)

const contactKeys = { all: ['contacts'] } as const

/** Sorted by name. */
export const contactsQuery = () =>
  queryOptions({ queryKey: contactKeys.all, queryFn: ({ signal }) => orMissing('contacts', () => contactsApi.list({}, { signal }), []) })

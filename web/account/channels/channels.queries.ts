import { queryOptions } from '@tanstack/react-query'
import { channels } from '#contracts/accounts/channels.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const channelsApi = createClient(channels, clientPorts)

/** Where alerts of the user are sent besides mails and browsers. */
export const channelsQuery = () => queryOptions({ queryKey: ['channels'], queryFn: ({ signal }) => channelsApi.list({}, { signal }) })

import { queryOptions } from '@tanstack/react-query'
import { retention } from '#contracts/accounts/retention.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const retentionApi = createClient(retention, clientPorts)

export const retentionQuery = () => queryOptions({ queryKey: ['retention'], queryFn: ({ signal }) => retentionApi.read({}, { signal }) })

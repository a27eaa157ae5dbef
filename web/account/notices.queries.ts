import { queryOptions } from '@tanstack/react-query'
import { quietHours } from '#contracts/accounts/quiet-hours.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const quietHoursApi = createClient(quietHours, clientPorts)

export const quietHoursQuery = () => queryOptions({ queryKey: ['quietHours'], queryFn: ({ signal }) => quietHoursApi.read({}, { signal }) })

import { queryOptions } from '@tanstack/react-query'
import { push } from '#contracts/accounts/push.ts'
import { quietHours } from '#contracts/accounts/quiet-hours.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const quietHoursApi = createClient(quietHours, clientPorts)

export const quietHoursQuery = () => queryOptions({ queryKey: ['quietHours'], queryFn: ({ signal }) => quietHoursApi.read({}, { signal }) })

export const pushApi = createClient(push, clientPorts)

export const pushQuery = () => queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => pushApi.read({}, { signal }) })

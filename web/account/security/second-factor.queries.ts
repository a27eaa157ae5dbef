import { queryOptions } from '@tanstack/react-query'
import { passkeys, secondFactor } from '#contracts/accounts/second-factor.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const secondFactorApi = createClient(secondFactor, clientPorts)
export const passkeysApi = createClient(passkeys, clientPorts)

export const secondFactorQuery = () =>
  queryOptions({ queryKey: ['secondFactor'], queryFn: ({ signal }) => secondFactorApi.read({}, { signal }) })

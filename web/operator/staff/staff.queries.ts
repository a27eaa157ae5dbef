import { queryOptions } from '@tanstack/react-query'
import { keysApi, staffApi } from '#web/operator/session/operator.api.ts'

export const staffQuery = () => queryOptions({ queryKey: ['staff'], queryFn: ({ signal }) => staffApi.list({}, { signal }) })

export const keysQuery = () => queryOptions({ queryKey: ['keys'], queryFn: ({ signal }) => keysApi.list({}, { signal }) })

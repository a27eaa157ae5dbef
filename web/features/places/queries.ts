import { queryOptions } from '@tanstack/react-query'
import { alerts } from '#contracts/alerts.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

const calls = createClient({ list: alerts.list }, outside)

/** Every alert of the account: a place that goes takes its own with it (D-35). */
export const alertsQuery = () => queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => calls.list({}, { signal }) })

import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/client.ts'

/** The public links of one tracker, newest first (E-6). */
export const linksQuery = (id: number) =>
  queryOptions({ queryKey: ['links', id], queryFn: ({ signal }) => client.links.listOf({ params: { id } }, { signal }) })

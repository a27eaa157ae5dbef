import { queryOptions } from '@tanstack/react-query'
import { tags } from '#contracts/tags.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'

export const tagsApi = createClient(tags, clientPorts)

const tagKeys = { all: ['tags'] } as const

/** Sorted by name. */
export const tagsQuery = () =>
  queryOptions({ queryKey: tagKeys.all, queryFn: ({ signal }) => orMissing('tags', () => tagsApi.list({}, { signal }), []) })

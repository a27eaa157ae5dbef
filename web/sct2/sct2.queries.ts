import { queryOptions } from '@tanstack/react-query'
import { sct2 } from '#contracts/trackers/sct2.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { nullIfUnknown } from '#web/lib/api/api-error.ts'

export const sct2Api = createClient(sct2, clientPorts)

const sct2Keys = { params: (id: number) => ['sct2', id] } as const

/** Null for a tracker without such parameters. */
export const sct2ParamsQuery = (id: number) =>
  queryOptions({
    queryKey: sct2Keys.params(id),
    queryFn: ({ signal }) => sct2Api.read({ params: { id } }, { signal }).catch(nullIfUnknown),
  })

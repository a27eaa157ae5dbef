import { queryOptions } from '@tanstack/react-query'
import { calls } from './sct2.calls.ts'

export const paramsQuery = (id: number) =>
  queryOptions({ queryKey: ['sct2', id], queryFn: ({ signal }) => calls.read({ params: { id } }, { signal }) })

import { queryOptions } from '@tanstack/react-query'
import { calls } from './conflict.calls.ts'

/** How often the S/N of a tracker may still be tried, over all users (E-65). */
export const attemptsQuery = (identifier: string) =>
  queryOptions({
    queryKey: ['attempts', identifier],
    queryFn: ({ signal }) => calls.serial.read({ query: { identifier } }, { signal }),
    staleTime: 0,
  })

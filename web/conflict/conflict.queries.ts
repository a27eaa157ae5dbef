import { queryOptions } from '@tanstack/react-query'
import { calls } from './conflict.calls.ts'

/** Remaining attempts at the S/N of a tracker, counted over all users. */
export const attemptsQuery = (identifier: string) =>
  queryOptions({
    queryKey: ['attempts', identifier],
    queryFn: ({ signal }) => calls.serial.read({ query: { identifier } }, { signal }),
    staleTime: 0,
  })

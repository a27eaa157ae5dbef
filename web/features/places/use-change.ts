import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '#web/lib/trackers/queries.ts'
import { useMay } from '#web/lib/use-may.ts'

/** Whether whoever is signed in may change places (D-01); undefined until the role is known. */
export function useChange() {
  const may = useMay('changePlaces')
  return useQuery(accountQuery()).data ? may : undefined
}

import { useQuery } from '@tanstack/react-query'
import { useMay } from '#web/signed-in/use-may.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'

/** Whether whoever is signed in may change places (D-01); undefined until the role is known. */
export function useChange() {
  const may = useMay('changePlaces')
  return useQuery(accountQuery()).data ? may : undefined
}

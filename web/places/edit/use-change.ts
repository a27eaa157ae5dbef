import { useQuery } from '@tanstack/react-query'
import { useMay } from '#web/signed-in/use-may.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'

/** Whether the user may change places; undefined until the role is known. */
export function useChange() {
  const may = useMay('changePlaces')
  return useQuery(accountQuery()).data ? may : undefined
}

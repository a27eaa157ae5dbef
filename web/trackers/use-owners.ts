import { useQuery } from '@tanstack/react-query'
import { loadChunk } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'

/** The owner of each tracker, for support; undefined for other roles. */
export function useOwners() {
  const hasOwners = useFeature('owners')
  const enabled = useHasRight('readOwners') && hasOwners
  const queryFn = async ({ signal }: { signal: AbortSignal }) => (await loadChunk(() => import('./owners.ts'))).readOwners(signal)
  return useQuery({ queryKey: ['owners'], queryFn, enabled }).data
}

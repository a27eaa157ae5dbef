import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rights } from '#contracts/lib/rights.ts'
import { roleOf } from '#contracts/rules/role.ts'
import type { Right } from '#web/lib/navigation/routing.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

/** Opens to a role that has the right (D-01). For any other there is `otherwise`, and no call is made that it may not make (C-48). */
export default function Gate({ may, otherwise, children }: { may: Right; otherwise: ReactNode; children: ReactNode }) {
  const { data, isError, refetch } = useQuery(accountQuery())
  if (data) return rights[may].some((role) => role === roleOf(data.role)) ? children : otherwise
  return isError ? <Failure retry={() => void refetch()} /> : <SkeletonRows />
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rights } from '#contracts/lib/rights.ts'
import { parseRole } from '#contracts/rules/user.ts'
import type { Right } from '#web/lib/navigation/routing.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

/** Renders `children` for a role with the right `may`. Other roles get `otherwise`, so no request is sent that the server would refuse. */
export default function Gate({ may, otherwise, children }: { may: Right; otherwise: ReactNode; children: ReactNode }) {
  const { data, isError, refetch } = useQuery(sessionQuery())
  if (data) return rights[may].some((role) => role === parseRole(data.role)) ? children : otherwise
  return isError ? <Failure retry={() => void refetch()} /> : <SkeletonRows />
}

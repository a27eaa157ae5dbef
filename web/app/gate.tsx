import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rights } from '#contracts/lib/rights.ts'
import { parseRole } from '#contracts/rules/user.ts'
import type { Right } from '#web/lib/navigation/routing.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'

/** Renders `children` for a role with the right `may`. Other roles get `otherwise`, so no request is sent that the server would reject. */
export default function Gate({ may, otherwise, children }: { may: Right; otherwise: ReactNode; children: ReactNode }) {
  const role = parseRole(useSuspenseQuery(sessionQuery()).data.role)
  return rights[may].some((allowed) => allowed === role) ? children : otherwise
}

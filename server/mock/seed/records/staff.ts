import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import type { staff } from '#db/schema/staff.ts'
import { seal } from '#server/lib/secrets.ts'
import { ownerOfSecret } from '#server/operator/staff/sign-in.ts'
import { DEVELOPMENT_KEY } from './second-factor.ts'
import { sha256 } from './seed-secrets.ts'

/** A member of the company's staff in every world, who works in the operator's console and is no user of the portal. */
export type StaffPersona = { key: string; id: number; email: string; name: string; role: StaffRole }

export const STAFF = [
  { key: 'clerk', id: 1, email: 'clerk@example.com', name: 'Clara Clerk', role: 'stock' },
  { key: 'helper', id: 2, email: 'helper@example.com', name: 'Hugo Helper', role: 'support' },
  { key: 'cashier', id: 3, email: 'cashier@example.com', name: 'Cora Cashier', role: 'finance' },
  { key: 'manager', id: 4, email: 'manager@example.com', name: 'Mina Manager', role: 'admin' },
] as const satisfies readonly StaffPersona[]

/** The secret of the authenticator app of each member; `GET /mock/second_factor/:email` returns codes of it. */
const secretOf = ({ id }: StaffPersona) => `5eed0000000000000000000000000000000005${String(id).padStart(2, '0')}`

export const staffRows = (createdAt: Date, passwordHash: string): (typeof staff.$inferInsert)[] =>
  STAFF.map((member) => {
    const { key: _, ...row } = member
    const secret = secretOf(member)
    const totpSecret = seal(secret, { key: DEVELOPMENT_KEY, owner: ownerOfSecret(member), iv: sha256(secret).slice(0, 24) })
    return { ...row, createdAt, passwordHash, totpSecret }
  })

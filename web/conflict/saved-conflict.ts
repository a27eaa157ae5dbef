import * as z from 'zod/mini'
import { UNLINK_REASONS } from '#contracts/lib/constants.ts'
import { formatIdentifier } from '#contracts/rules/identifier.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { attempt, tabStorage } from '#web/lib/storage.ts'
import { whoIs } from '#web/signed-in/drafts.ts'

const Conflict = z.object({
  /** Ten digits. */
  identifier: z.optional(z.string()),
  serial: z.optional(z.string()),
  /** The request to unlink it, as far as it is written. */
  request: z.optional(z.object({ email: z.string(), reason: z.enum(UNLINK_REASONS), message: z.optional(z.string()) })),
})
export type Conflict = z.infer<typeof Conflict>

type Owned = { owner: string; known: Conflict }
/** Whose it is, once that is known. */
let owned: Owned | null = null
/** What waits in memory for its person, whose session ended in the middle of it. */
let left: Owned | null = null

/** The tracker that could not be added because another account has it: the pages of the conflict lead on from it. */
export const conflict = {
  read: (): Conflict | null => Conflict.safeParse(attempt(() => JSON.parse(tabStorage.get('conflict') ?? ''))).data ?? null,
  keep(known: Conflict) {
    tabStorage.set('conflict', JSON.stringify(known))
    if (owned) owned = { ...owned, known }
  },
  forget() {
    tabStorage.remove('conflict')
    owned = null
    left = null
  },
  /** What there is to read, or else what the same person has left. */
  async meet(): Promise<Conflict | null> {
    const owner = await whoIs()
    const known = conflict.read() ?? (left && left.owner === owner ? left.known : null)
    if (!owner || !known) return known
    owned = { owner, known }
    conflict.keep(known)
    return known
  },
}

onSessionEnd(() => {
  left = owned ?? left
  owned = null
  tabStorage.remove('conflict')
})

/** The number by which the person knows it, as printed. */
export const numberOf = ({ identifier, serial }: Conflict) => (identifier ? formatIdentifier(identifier) : (serial ?? ''))

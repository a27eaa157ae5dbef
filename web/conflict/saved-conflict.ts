import * as z from 'zod/mini'
import { formatIdentifier } from '#contracts/rules/reading/text.ts'
import { UNLINK_REASONS } from '#contracts/trackers/conflicts.ts'
import { findUserName } from '#web/lib/api/user-name.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { tabStorage, tryOrNull } from '#web/lib/storage.ts'

const Conflict = z.object({
  /** Ten digits. */
  identifier: z.optional(z.string()),
  serial: z.optional(z.string()),
  /** The unlink request as filled in so far. */
  request: z.optional(z.object({ email: z.string(), reason: z.enum(UNLINK_REASONS), message: z.optional(z.string()) })),
})
export type Conflict = z.infer<typeof Conflict>

type OwnedConflict = { owner: string; known: Conflict }
/** Undefined until the signed-in user is known. */
let current: OwnedConflict | null = null
/** Conflict of a user whose session expired, until the same user signs in again. */
let expired: OwnedConflict | null = null

/** The tracker that could not be added because it belongs to another account. Stored per tab for the pages of the conflict flow. */
export const conflict = {
  read: (): Conflict | null => Conflict.safeParse(tryOrNull(() => JSON.parse(tabStorage.get('conflict') ?? ''))).data ?? null,
  save(known: Conflict) {
    tabStorage.set('conflict', JSON.stringify(known))
    if (current) current = { ...current, known }
  },
  clear() {
    tabStorage.remove('conflict')
    current = null
    expired = null
  },
  /** Returns the stored conflict, or the one the same user had before the session expired. */
  async restore(): Promise<Conflict | null> {
    const owner = await findUserName()
    const known = conflict.read() ?? (expired && expired.owner === owner ? expired.known : null)
    if (!owner || !known) return known
    current = { owner, known }
    conflict.save(known)
    return known
  },
}

onSessionEnd(() => {
  expired = current ?? expired
  current = null
  tabStorage.remove('conflict')
})

/** The number the user entered, as printed on the tracker. */
export const printedNumber = ({ identifier, serial }: Conflict) => (identifier ? formatIdentifier(identifier) : (serial ?? ''))

import * as z from 'zod/mini'
import { UNLINK_REASONS } from '#contracts/constants.ts'
import { formatIdentifier } from '#contracts/rules/identifier.ts'
import { onSessionEnd } from './session.ts'
import { attempt, tabStorage } from './storage.ts'

const Conflict = z.object({
  /** Ten digits. */
  identifier: z.optional(z.string()),
  serial: z.optional(z.string()),
  /** The request to unlink it, as far as it is written. */
  request: z.optional(z.object({ email: z.string(), reason: z.enum(UNLINK_REASONS), message: z.optional(z.string()) })),
})
export type Conflict = z.infer<typeof Conflict>

/** The tracker that could not be added because another account has it: the pages of the conflict lead on from it. */
export const conflict = {
  read: (): Conflict | null => Conflict.safeParse(attempt(() => JSON.parse(tabStorage.get('conflict') ?? ''))).data ?? null,
  keep: (known: Conflict) => tabStorage.set('conflict', JSON.stringify(known)),
  forget: () => tabStorage.remove('conflict'),
}

onSessionEnd(conflict.forget)

/** The number by which the person knows it, as printed. */
export const numberOf = ({ identifier, serial }: Conflict) => (identifier ? formatIdentifier(identifier) : (serial ?? ''))

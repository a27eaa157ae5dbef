import * as z from 'zod/mini'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/identifier.ts'
import { NewTracker } from '#contracts/trackers.ts'

const readableBy = (normalize: (text: string) => string | null) => z.string().check(z.refine((text) => normalize(text) !== null))

/** Rejects malformed numbers before a request is sent; serial checks are limited. */
export const AddForm = z.object({
  ...NewTracker.shape,
  identifier: z.optional(readableBy(normalizeIdentifier)),
  serial: z.optional(readableBy(normalizeSerial)),
})
export type AddForm = z.infer<typeof AddForm>

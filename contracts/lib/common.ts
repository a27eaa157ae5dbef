import * as z from 'zod/mini'
import type { Unlisted } from './unknown-values.ts'

/** An instant on the wire: ISO 8601 in UTC, such as `2026-03-01T12:00:00Z`. */
export const Instant = z.iso.datetime()

/** A non-negative whole number from a path or query, where it arrives as text. */
export const Whole = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER))

export const Id = z.int()

/**
 * An id out of text, such as an address: digits become a number, so that ids of any origin can be compared; other text stays as it came.
 * Another backend may have ids such as UUIDs. They are typed as the contract's, because nothing calculates with an id.
 */
export const parseId = (text: string | null | undefined): number =>
  (/^(0|[1-9]\d{0,15})$/.test(text ?? '') && Number.isSafeInteger(Number(text)) ? Number(text) : (text ?? '')) as number

export const IdParams = z.object({ id: Whole })

/** An enum that also accepts unknown values and passes them through, because a real backend may add some. */
export const openEnum = <const T extends readonly string[]>(values: T) => z.union([z.enum(values), z.string()])

/** The user of a team who made something, for its administrator; absent for others, and where it is not known. */
export const Maker = z.optional(z.object({ id: Id, first_name: z.string(), last_name: z.string() }))

export const Latitude = z.number().check(z.minimum(-90), z.maximum(90))
export const Longitude = z.number().check(z.minimum(-180), z.maximum(180))

/** Lower-case ISO 4217 code of a currency. */
export const CurrencyCode = z.string().check(z.regex(/^[a-z]{3}$/))
/** An amount of money in minor units, never a fraction. */
export const MinorUnits = z.int().check(z.minimum(0))

/** A list in a response: strict in tests, but typed so that each screen has to handle values that the list lacks. */
export const listed = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values) as unknown as z.ZodMiniType<T[number] | Unlisted, T[number] | Unlisted>

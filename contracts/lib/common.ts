import * as z from 'zod/mini'

/** An instant on the wire: ISO 8601 in UTC, such as `2026-03-01T12:00:00Z`. */
export const Instant = z.iso.datetime()

/** A number in a path or a query arrives as text. */
export const Whole = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER))

export const Id = z.int()

export const IdParams = z.object({ id: Whole })

export const Text = (least: number, most: number) => z.string().check(z.trim(), z.minLength(least), z.maxLength(most))

/** Values we know, and room for those a real backend may add: an unknown one is kept as it is. */
export const open = <const T extends readonly string[]>(values: T) => z.union([z.enum(values), z.string()])

export const Email = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/))

export const Latitude = z.number().check(z.minimum(-90), z.maximum(90))
export const Longitude = z.number().check(z.minimum(-180), z.maximum(180))

/** Lower-case ISO 4217, a currency with two decimals (C-29). */
export const CurrencyCode = z.string().check(z.regex(/^[a-z]{3}$/))
/** Money, never as a fraction. */
export const MinorUnits = z.int().check(z.minimum(0))

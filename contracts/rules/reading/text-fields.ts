import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { normalizeAddress, normalizeLine, normalizeParagraphs, normalizePhone } from './text.ts'

/** A text that programs compare, such as a path: only surrounding blanks are dropped. */
export const Verbatim = (least: number, most: number) => z.string().check(z.trim(), z.minLength(least), z.maxLength(most))

/** A text of one line, such as a name. */
export const Text = (least: number, most: number) => z.string().check(z.overwrite(normalizeLine), z.minLength(least), z.maxLength(most))

/** A text that may have several lines. */
export const Paragraphs = (least: number, most: number) =>
  z.string().check(z.overwrite(normalizeParagraphs), z.minLength(least), z.maxLength(most))

/** Without control characters and those that separate or quote addresses in a header; mail servers allow 64 characters before the @. */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}<>()[\]\\,;:"]{1,64}@[^\s@.\p{Cc}\p{Cf}<>()[\]\\,;:"]+(\.[^\s@.\p{Cc}\p{Cf}<>()[\]\\,;:"]+)+$/u
export const Email = z.string().check(z.overwrite(normalizeAddress), z.maxLength(254), z.regex(EMAIL))

/** Digits, blanks and + ( ) - . /, with at least one digit; an empty text means no phone number. */
export const Phone = z
  .string()
  .check(z.overwrite(normalizePhone), z.maxLength(TEXT_LENGTH.phone), z.regex(/^([ +().\-/]*\d[\d +().\-/]*)?$/))

import * as z from 'zod/mini'

export const NonEmptyText = z.string().check(z.minLength(1))
export const WebAddress = z.url({ protocol: /^https?$/ })

/** Environment variables of the texts of the company that runs the portal. */
export const LEGAL_SETTINGS = {
  /** A folder of `terms.en.md`, `privacy.de.md`, `imprint.en.md` and so on: the texts of the company that runs the portal. */
  LEGAL_DIR: z.optional(NonEmptyText),
  /** Addresses of these texts elsewhere, each instead of the files. */
  TERMS_URL: z.optional(WebAddress),
  PRIVACY_URL: z.optional(WebAddress),
  IMPRINT_URL: z.optional(WebAddress),
  /** The version of the terms that users accept; default: a hash of the files, or of the address. */
  TERMS_VERSION: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
}

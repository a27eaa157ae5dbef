import * as z from 'zod/mini'
import { config } from '#web/lib/config.ts'

/** Where a text is: its address, or the languages of the files next to the portal; and the version that users accept. */
const LegalPlaces = z.record(
  z.string(),
  z.object({
    url: z.optional(z.string().check(z.regex(/^https?:\/\/\S+$/i))),
    languages: z.optional(z.array(z.string().check(z.minLength(1)))),
    version: z.optional(z.string().check(z.minLength(1))),
  }),
)

/** The texts of the operator by name. They are checked here and not with the configuration, because every page would load that. */
export const readLegal = () => LegalPlaces.safeParse(config().legal).data ?? {}

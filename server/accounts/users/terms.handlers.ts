import type { terms as contract, Terms } from '#contracts/accounts/terms.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { findAcceptedTerms, saveAcceptedTerms } from './users.store.ts'

export const terms: Handlers<typeof contract> = {
  read: (_, context) => readTerms(context),
  async accept({ body: { version } }, context) {
    const { db, clock, viewer, termsVersion } = context
    if (version !== termsVersion) throw invalidField('version', 'is not the version of the terms in force')
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const accepted = await findAcceptedTerms(tx, viewer.userId)
      // A repeat keeps the time of the first acceptance.
      if (accepted && accepted.version !== version) await saveAcceptedTerms(tx, viewer.userId, { version, at: clock.now() })
    })
    return readTerms(context)
  },
}

async function readTerms({ db, viewer, termsVersion }: ViewerContext): Promise<Terms> {
  const accepted = await findAcceptedTerms(db.read, viewer.userId)
  if (!accepted) throw new Failure('not_authenticated')
  return { version: termsVersion ?? null, accepted_version: accepted.version, accepted_at: accepted.at && formatInstant(accepted.at) }
}

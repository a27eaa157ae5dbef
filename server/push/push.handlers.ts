import type { push as contract } from '#contracts/accounts/push.ts'
import { findLanguage } from '#db/people.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { findBrowser, queuePush, removeBrowser, saveBrowser } from './push.store.ts'

export const push: Handlers<typeof contract> = {
  read: (_, context) => readState(context),
  async subscribe({ body: { endpoint, keys } }, context) {
    const { db, clock, viewer, session } = context
    if (!getPush(context).isAllowed(endpoint)) throw invalidField('endpoint', 'is not of a known push service')
    const browser = { userId: viewer.userId, session, endpoint, ...keys, createdAt: clock.now() }
    await db.write([`account:${viewer.accountId}`, `browser:${endpoint}`], (tx) => saveBrowser(tx, browser))
    return readState(context)
  },
  async unsubscribe(_, context) {
    const { db, viewer, session } = context
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const browser = await findBrowser(tx, session)
      if (browser) await removeBrowser(tx, browser.id)
    })
    return readState(context)
  },
  async test(_, context) {
    const { db, clock, viewer, session, productName } = context
    getPush(context)
    const t = createTranslate(await findLanguage(db.read, viewer.userId))
    await db.write([`account:${viewer.accountId}`], async (tx) => {
      const browser = await findBrowser(tx, session)
      if (!browser) throw new Failure('not_found')
      const content = { title: productName, body: t('push.test'), url: '/account/preferences', isUrgent: true }
      await queuePush(tx, browser.id, content, clock.now())
    })
    return readState(context)
  },
}

function getPush({ push }: ViewerContext) {
  if (!push) throw new Failure('unavailable')
  return push
}

async function readState(context: ViewerContext) {
  const { publicKey } = getPush(context)
  return { public_key: publicKey, on: (await findBrowser(context.db.read, context.session)) !== undefined }
}

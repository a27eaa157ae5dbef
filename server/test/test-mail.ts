import { emails } from '#db/schema/messages.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import type { MailTemplate } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'

/** Oldest first. */
export async function mailsTo({ db }: Pick<World, 'db'>, to: string, template?: MailTemplate) {
  const all = await db.read.select().from(emails).orderBy(emails.id)
  return all.filter((mail) => mail.to === to && (template === undefined || mail.template === template))
}

/** The key in the link of the newest mail. Throws when there is none. */
export async function keyMailedTo(
  world: Pick<World, 'db' | 'origin' | 'productName' | 'secondFactor'>,
  to: string,
  template: MailTemplate,
) {
  const mail = (await mailsTo(world, to, template)).at(-1)
  const link = mail && renderMail(mail, world).links[0]
  const key = link && new URL(link).searchParams.get('key')
  if (!key) throw new Error(`No key was mailed to ${to}`)
  return key
}

import type { SendMailOptions } from 'nodemailer'
import type { World } from '#server/ports/world.ts'
import type { MailRow } from './mail-outbox.store.ts'
import { renderMail } from './mail-render.ts'

/** Who mails are from when nobody is named, under the name of the product. */
const ADDRESS = 'no-reply@example.com'

type Sending = { from?: string | undefined; date: Date }

/** A mail of the outbox as it leaves, whether it is sent or kept as a file. */
export function messageOf(world: Pick<World, 'id' | 'origin' | 'productName'>, mail: MailRow, { from, date }: Sending) {
  const { subject, text, html } = renderMail(mail, world)
  return {
    from: from ?? { name: world.productName, address: ADDRESS },
    to: { name: '', address: mail.to },
    subject,
    text,
    html,
    date,
    // The same at each attempt: when a mail went but that was not noted, the receiver can drop the second.
    messageId: `<${world.id}-${mail.id}-${mail.createdAt.getTime()}@${new URL(world.origin).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  } satisfies SendMailOptions
}

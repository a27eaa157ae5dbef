import type { SendMailOptions } from 'nodemailer'
import type { World } from '#server/ports/world.ts'
import type { MailRow } from './mail-outbox.store.ts'
import { renderMail } from './mail-render.ts'

/** Sender address when none is configured; the product is its display name. */
const DEFAULT_SENDER = 'no-reply@example.com'

type Sending = { from?: string | undefined; date: Date }

/** Builds the message of an outbox row, to be sent or saved as a file. */
export function buildMessage(world: Pick<World, 'id' | 'origin' | 'productName'>, mail: MailRow, { from, date }: Sending) {
  const { subject, text, html } = renderMail(mail, world)
  return {
    from: from ?? { name: world.productName, address: DEFAULT_SENDER },
    to: { name: '', address: mail.to },
    subject,
    text,
    html,
    date,
    // The same at each attempt, so that a receiver can drop the duplicate when a sent mail was not recorded as sent.
    messageId: `<${world.id}-${mail.id}-${mail.createdAt.getTime()}@${new URL(world.origin).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  } satisfies SendMailOptions
}

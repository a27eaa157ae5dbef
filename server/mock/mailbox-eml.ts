import { createTransport } from 'nodemailer'
import type { MailRow } from '#server/lib/mail-outbox/store.ts'
import { renderMail } from '#server/lib/mail-render.ts'
import type { World } from '#server/lib/world.ts'

/** A mail as bytes that a mail program opens. */
export async function emlOf(world: Pick<World, 'id' | 'origin' | 'productName'>, mail: MailRow) {
  const { id, origin, productName } = world
  const { subject, text, html } = renderMail(mail, world)
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: { name: productName, address: 'noreply@whereabouts.example' },
    to: { name: '', address: mail.to },
    subject,
    text,
    html,
    date: mail.createdAt,
    messageId: `<${id}-${mail.id}@${new URL(origin).hostname}>`,
  })
  return new Uint8Array(message as Buffer)
}

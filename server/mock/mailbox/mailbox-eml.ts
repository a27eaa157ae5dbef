import { createTransport } from 'nodemailer'
import { messageOf } from '#server/mail/mail-message.ts'
import type { MailRow } from '#server/mail/mail-outbox.store.ts'
import type { World } from '#server/ports/world.ts'

export async function formatEml(world: Pick<World, 'id' | 'origin' | 'productName'>, mail: MailRow) {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
    messageOf(world, mail, { date: mail.createdAt }),
  )
  return new Uint8Array(message as Buffer)
}

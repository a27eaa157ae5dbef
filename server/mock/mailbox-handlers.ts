import type { mail as contract } from '#contracts/mock/mail.ts'
import { wire } from '#contracts/rules/instant.ts'
import { Failure } from '#server/lib/errors.ts'
import { findMail, listMails, type MailRow } from '#server/lib/mail-outbox/store.ts'
import { renderMail } from '#server/lib/mail-render.ts'
import type { Handlers } from '#server/lib/serve.ts'
import type { World } from '#server/lib/world.ts'

const MOST = 200

type Filter = { to?: string | undefined; template?: string | undefined }

export const mailOf = ({ origin }: Pick<World, 'origin'>, row: MailRow) => ({
  id: row.id,
  to: row.to,
  template: row.template,
  language: row.language,
  created_at: wire(row.createdAt),
  sent_at: row.sentAt && wire(row.sentAt),
  data: row.data,
  /** What a person would type in from it. */
  codes: row.data.code === undefined ? [] : [row.data.code],
  ...renderMail(row, { origin }),
})

export type Mail = ReturnType<typeof mailOf>

export const mailsOf = async (world: World, filter: Filter) =>
  (await listMails(world.db.read, filter, MOST)).map((row) => mailOf(world, row))

/** One mail of the world, or undefined. */
export async function mailById(world: World, id: number) {
  const row = await findMail(world.db.read, id)
  return row && mailOf(world, row)
}

export const mails: Handlers<typeof contract> = {
  list: ({ query }, world) => mailsOf(world, query),
  async read({ params }, world) {
    const mail = await mailById(world, params.id)
    if (!mail) throw new Failure('not_found')
    return mail
  },
}

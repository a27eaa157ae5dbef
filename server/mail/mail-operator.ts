import { formatInstant } from '#contracts/rules/time.ts'
import type { Db } from '#db/db.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { findKeyByHash } from '#server/outbox/mail-keys.store.ts'
import { discardMails, listGivenUpMails, type MailRow, type MailTemplate, queueMailsAgain } from '#server/outbox/outbox.store.ts'

/** Templates that are useless without the key of their link. */
const LINKS: string[] = ['confirm_email', 'password_reset', 'change_email', 'invitation', 'staff_invitation'] satisfies MailTemplate[]

/**
 * The operator's command: lists the given-up mails, one JSON object a line; `--again` makes them due again, all or the one with an id, and
 * `--discard` deletes them. Mails with an expired link are not sent again. Throws a sentence for a wrong argument.
 */
export async function operateMails(db: Db, [option, value]: string[], { now, print }: { now: Date; print(line: string): void }) {
  const [, given = value] = /^--again(?:=(.+))?$/.exec(option ?? '') ?? []
  if (option === undefined) {
    for (const mail of await listGivenUpMails(db.read)) print(JSON.stringify(presentMail(mail)))
    return
  }
  if (option === '--discard' && value === undefined) {
    const ids = (await listGivenUpMails(db.read)).map(({ id }) => id)
    for (let first = 0; first < ids.length; first += BATCH) await db.write([], (tx) => discardMails(tx, ids.slice(first, first + BATCH)))
    print(`${ids.length} mails are discarded.`)
    return
  }
  if (!option.startsWith('--again') || (given !== undefined && !/^\d{1,15}$/.test(given)))
    throw new Error('Usage: mails, mails --again, mails --again=ID or mails --discard')
  const mails = await listGivenUpMails(db.read, given === undefined ? undefined : Number(given))
  if (given !== undefined && mails.length === 0) throw new Error(`No given-up mail has the id ${given}.`)
  const ended: number[] = []
  for (const mail of mails) if (await hasEndedLink(db, mail, now)) ended.push(mail.id)
  const ids = mails.map(({ id }) => id).filter((id) => !ended.includes(id))
  for (let first = 0; first < ids.length; first += BATCH) {
    const batch = ids.slice(first, first + BATCH)
    await db.write([], (tx) => queueMailsAgain(tx, batch))
  }
  print(`${ids.length} mails are sent again by the running server.`)
  if (ended.length > 0) print(`${ended.length} have a link that has ended, so they are not sent: ${ended.join(', ')}`)
}

/** Below the number of parameters that a database accepts in one statement. */
const BATCH = 500

const presentMail = ({ id, to, template, createdAt, givenUpAt, failure }: MailRow) => ({
  id,
  to,
  template,
  queued_at: formatInstant(createdAt),
  given_up_at: givenUpAt && formatInstant(givenUpAt),
  reason: failure?.reason ?? null,
  host: failure?.host ?? null,
  message: failure?.message ?? null,
})

async function hasEndedLink({ read }: Db, { template, data }: MailRow, now: Date) {
  if (data.key === undefined) return LINKS.includes(template)
  const key = await findKeyByHash(read, sha256(data.key))
  return !key || key.usedAt !== null || key.expiresAt <= now
}

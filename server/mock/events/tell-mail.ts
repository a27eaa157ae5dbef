import type { Db, Tx } from '#db/sqlite/open.ts'
import { mailsAfter, newestMail } from './events.store.ts'
import type { Events } from './events.ts'

/** Wraps a database so that mails written by a transaction are published after its commit. */
export function tellMail(db: Db, events: Events): Db {
  let newest = newestMail(db.read)
  return {
    ...db,
    async write<T>(work: (tx: Tx) => Promise<T>) {
      const result = await db.write(work)
      for (const mail of mailsAfter(db.read, newest)) {
        newest = mail.id
        events.tell('mail', mail)
      }
      return result
    },
  }
}

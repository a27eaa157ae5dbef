import type { SqliteDb } from '#db/sqlite/open.ts'
import { listMailsAfter, newestMail } from './events.store.ts'
import type { Events } from './events.ts'

/** Wraps a database so that mails written by a transaction are published after its commit. */
export function withMailEvents(db: SqliteDb, events: Events): SqliteDb {
  return {
    ...db,
    async write(work, touched) {
      const { result, mails } = await db.write(async (tx) => {
        const newest = await newestMail(tx)
        const result = await work(tx)
        return { result, mails: await listMailsAfter(tx, newest) }
      }, touched)
      for (const mail of mails) events.publish('mail', mail)
      return result
    },
  }
}

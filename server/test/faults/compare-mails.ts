import { getHeader, type ReceivedMail } from '#server/test/test-smtp.ts'

/** A queued mail or delivery to a channel; `attempts`: how often a server has claimed it. */
type Queued = { id: number; attempts: number }

/** The row that a message is about, according to its id. */
const rowOf = (id: string) => Number(/^<?main-(\d+)-/.exec(id)?.[1])

/**
 * Compares the ids of the messages that a receiver accepted with those queued for alerts. `lost`: never delivered; `renamed`: delivered
 * with different ids; `unexplained`: delivered more often than servers have claimed them; `claimedAgain`: sent again, because a server
 * was killed before it recorded them; `repeated`: second copies, all with the id of the first.
 */
export function compareMessages(taken: readonly string[], queued: readonly Queued[]) {
  const copies = new Map<number, string[]>()
  for (const id of taken) copies.set(rowOf(id), [...(copies.get(rowOf(id)) ?? []), id])
  const countCopies = ({ id }: Queued) => copies.get(id)?.length ?? 0
  return {
    alerts: queued.length,
    delivered: taken.length,
    lost: queued.filter((message) => countCopies(message) === 0).length,
    renamed: [...copies.values()].filter((ids) => new Set(ids).size > 1).length,
    unexplained: queued.filter((message) => countCopies(message) > message.attempts).length,
    claimedAgain: queued.filter(({ attempts }) => attempts > 1).length,
    repeated: [...copies.values()].reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
  }
}

/** Compares the mails that a mail server accepted, by their Message-IDs. */
export const compareMails = (taken: readonly ReceivedMail[], queued: readonly Queued[]) =>
  compareMessages(
    taken.map((mail) => getHeader(mail, 'Message-ID')),
    queued,
  )

import { getHeader, type ReceivedMail } from '#server/test/test-smtp.ts'

/** A queued mail; `attempts`: how often a server has claimed it. */
type Queued = { id: number; attempts: number }

/** The mail's row, according to its Message-ID. */
const rowOf = (messageId: string) => Number(/^<main-(\d+)-/.exec(messageId)?.[1])

/**
 * Compares the mails accepted by a mail server with the mails queued for alerts. `lost`: never delivered; `renamed`: delivered with
 * different Message-IDs; `unexplained`: delivered more often than servers have claimed them; `claimedAgain`: sent again, because a server
 * was killed before it recorded them; `repeated`: second copies, all with the Message-ID of the first.
 */
export function compareMails(taken: readonly ReceivedMail[], queued: readonly Queued[]) {
  const copies = new Map<number, string[]>()
  for (const mail of taken) {
    const id = getHeader(mail, 'Message-ID')
    copies.set(rowOf(id), [...(copies.get(rowOf(id)) ?? []), id])
  }
  const countCopies = ({ id }: Queued) => copies.get(id)?.length ?? 0
  return {
    alerts: queued.length,
    delivered: taken.length,
    lost: queued.filter((mail) => countCopies(mail) === 0).length,
    renamed: [...copies.values()].filter((ids) => new Set(ids).size > 1).length,
    unexplained: queued.filter((mail) => countCopies(mail) > mail.attempts).length,
    claimedAgain: queued.filter(({ attempts }) => attempts > 1).length,
    repeated: [...copies.values()].reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
  }
}

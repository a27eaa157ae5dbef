import { Counter, Gauge, type Registry } from 'prom-client'
import { countGivenUpMails } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import type { MailOutcome } from './mail-failures.ts'

const OUTCOMES: MailOutcome[] = ['sent', 'failed', 'refused', 'given_up']

/** Adds the metrics of mails. Returns the function that counts an outcome. */
export function createMailMetrics(registry: Registry, { db }: Pick<World, 'db'>) {
  const registers = [registry]
  const mails = new Counter({
    name: 'mails_total',
    help: 'Tries to send a mail: sent, failed and to be tried again, refused for good, given up after the last try',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of OUTCOMES) mails.inc({ outcome }, 0)
  new Gauge({
    name: 'mails_given_up',
    help: 'Mails in the database that are sent again only by the operator',
    registers,
    async collect() {
      // If the database is unreachable, the other metrics are still served.
      try {
        this.set(await countGivenUpMails(db.read))
      } catch {
        this.reset()
      }
    },
  })
  return (outcome: MailOutcome) => mails.inc({ outcome })
}

import { findOldestPaymentWork } from '#server/billing/records/payment-tasks.store.ts'
import { findOldestDue } from '#server/jobs/run-jobs.ts'
import { MAX_ATTEMPTS } from '#server/mail/mail-dispatch.ts'
import { findOldestDueMail } from '#server/mail/mail-outbox.store.ts'
import type { World } from '#server/ports/world.ts'

/** How many seconds the oldest due mail and job are late, and how old the oldest open call to Stripe or event of it is. */
export async function readLag({ db, clock }: Pick<World, 'db' | 'clock'>) {
  const now = clock.now().getTime()
  const late = (dueAt: Date | null) => (dueAt ? Math.max(0, now - dueAt.getTime()) / 1000 : 0)
  const [mail, job, payment] = await Promise.all([
    findOldestDueMail(db.read, MAX_ATTEMPTS),
    findOldestDue(db, clock.now()),
    findOldestPaymentWork(db.read),
  ])
  return { mail: late(mail), job: late(job), payment: late(payment) }
}

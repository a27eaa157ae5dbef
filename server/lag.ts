import { findOldestPaymentWork } from '#server/billing/records/payment-tasks.store.ts'
import { findOldestDue } from '#server/jobs/run-jobs.ts'
import { findOldestUnsentMail } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'

/**
 * The age of the oldest unsent mail and of the oldest open call to Stripe or event of it, and the seconds by which the oldest due job is
 * late.
 */
export async function readLag({ db, clock }: Pick<World, 'db' | 'clock'>) {
  const now = clock.now().getTime()
  const late = (dueAt: Date | null) => (dueAt ? Math.max(0, now - dueAt.getTime()) / 1000 : 0)
  const [mail, job, payment] = await Promise.all([
    findOldestUnsentMail(db.read),
    findOldestDue(db, clock.now()),
    findOldestPaymentWork(db.read),
  ])
  return { mail: late(mail), job: late(job), payment: late(payment) }
}

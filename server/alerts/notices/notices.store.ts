import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { channelDeliveries, channels, emails, pushes, pushResults } from '#db/schema/messages.ts'
import { alertFirings, heldAlerts, type NoticeLine } from '#db/schema/places.ts'

/** What an outbox knows of the mails, in the form in which a notice refers to them: by id. */
export const listMailStates = (db: DbReader, ids: number[]) =>
  db
    .select({
      id: emails.id,
      to: emails.to,
      createdAt: emails.createdAt,
      sentAt: emails.sentAt,
      givenUpAt: emails.givenUpAt,
      nextAttemptAt: emails.nextAttemptAt,
      failure: emails.failure,
    })
    .from(emails)
    .where(inArray(emails.id, ids))

export const listHeldStates = (db: DbReader, ids: number[]) =>
  db
    .select({ id: heldAlerts.id, until: heldAlerts.until, endedAt: heldAlerts.endedAt, mailId: heldAlerts.mailId })
    .from(heldAlerts)
    .where(inArray(heldAlerts.id, ids))

export const listPendingPushes = (db: DbReader, ids: number[]) =>
  db.select({ id: pushes.id, createdAt: pushes.createdAt, nextAttemptAt: pushes.nextAttemptAt }).from(pushes).where(inArray(pushes.id, ids))

export const listPushResults = (db: DbReader, ids: number[]) => db.select().from(pushResults).where(inArray(pushResults.pushId, ids))

export const listDeliveryStates = (db: DbReader, ids: number[]) =>
  db
    .select({
      id: channelDeliveries.id,
      createdAt: channelDeliveries.createdAt,
      attempts: channelDeliveries.attempts,
      nextAttemptAt: channelDeliveries.nextAttemptAt,
      endedAt: channelDeliveries.endedAt,
      failure: channelDeliveries.failure,
      stoppedAt: channels.stoppedAt,
    })
    .from(channelDeliveries)
    .innerJoin(channels, eq(channels.id, channelDeliveries.channelId))
    .where(inArray(channelDeliveries.id, ids))

/** Firings published until an instant whose notices still refer to outboxes, oldest first. */
export const listOpenFirings = (db: DbReader, until: Date, limit: number) =>
  db
    .select({ id: alertFirings.id, notices: alertFirings.notices })
    .from(alertFirings)
    .where(and(eq(alertFirings.isOpen, true), lte(alertFirings.publishedAt, until)))
    .orderBy(asc(alertFirings.publishedAt))
    .limit(limit)

export const closeFiring = (tx: Tx, id: number, notices: NoticeLine[]) =>
  tx.update(alertFirings).set({ notices, isOpen: false }).where(eq(alertFirings.id, id))

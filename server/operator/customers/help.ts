import type { NewCustomerEmail, RESENT_MAILS } from '#contracts/operator/customers.ts'
import { computeEndDate, currentSubState, isUnlimited } from '#contracts/rules/subscription.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { startEmailChangeBySupport } from '#server/accounts/confirmations/change-email.ts'
import { removeSignInChallenges } from '#server/accounts/factors/factors.store.ts'
import { forgetLoginAttempts } from '#server/accounts/sessions/login-attempts.ts'
import { mailPasswordReset } from '#server/accounts/sessions/passwords.ts'
import { sendRequestedConfirmation } from '#server/accounts/users/register.ts'
import { setNewestEnd } from '#server/billing/records/payments.store.ts'
import { activateDevice, findSubscription } from '#server/billing/records/subscriptions.store.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import { nameTracker, recordForOwner } from '#server/deeds/for-owner.ts'
import { Failure } from '#server/lib/errors.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { deleteSessionsOf, findTrackerOf, listPeople, makeTeam, type PersonRow } from './customers.store.ts'

/** The operator's program has no live streams. */
export type HelpPorts = DeedPorts & Pick<World, 'ids'> & { live?: World['live'] }

/** The users of an account, its owner first. Throws `not_found`. */
async function getPeople(tx: Tx, accountId: number): Promise<[PersonRow, ...PersonRow[]]> {
  const [owner, ...members] = await listPeople(tx, accountId)
  if (!owner) throw new Failure('not_found')
  return [owner, ...members]
}

/** A user of the account, by default its owner. Throws `not_found`. */
async function getPerson(tx: Tx, accountId: number, userId: number | undefined): Promise<PersonRow> {
  const people = await getPeople(tx, accountId)
  const person = userId === undefined ? people[0] : people.find(({ id }) => id === userId)
  if (!person) throw new Failure('not_found')
  return person
}

/** Throws `not_found` unless the account has the tracker. */
async function getTracker(tx: Tx, accountId: number, deviceId: number): Promise<DeviceRow> {
  const device = await findTrackerOf(tx, accountId, deviceId)
  if (!device) throw new Failure('not_found')
  return device
}

/** Signs all users of an account out everywhere. API tokens and keys of devices go on working. */
export const endCustomerSessions = (ports: HelpPorts, accountId: number) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const people = await getPeople(tx, accountId)
    const ended = await deleteSessionsOf(
      tx,
      people.map(({ id }) => id),
    )
    ports.live?.endSessions(tx, ended)
    for (const { id } of people) await removeSignInChallenges(tx, id)
    for (const userId of new Set(ended.map((session) => session.userId)))
      await recordForOwner(tx, ports, { accountId, userId, kind: 'sessions_ended' })
    const deed = { kind: 'sessions_ended', subject: people[0].email, accountId, detail: { sessions: ended.length } } as const
    return { deed, response: { ended: ended.length } }
  })

/** Makes wrong passwords and codes of all users of an account no longer count. */
export const unlockCustomer = (ports: HelpPorts, accountId: number) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const people = await getPeople(tx, accountId)
    for (const person of people) {
      await forgetLoginAttempts(tx, person)
      await recordForOwner(tx, ports, { accountId, userId: person.id, kind: 'sign_in_unlocked' })
    }
    return { deed: { kind: 'sign_in_unlocked', subject: people[0].email, accountId }, response: { account: accountId } }
  })

/**
 * Makes an account one of a team: its owner becomes the administrator. Sessions end, so that the next sign-in asks for the second factor.
 * Throws `already_active` for one that is a team already.
 */
export const makePro = (ports: HelpPorts, accountId: number) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const [owner] = await getPeople(tx, accountId)
    if (owner.role !== 'user') throw new Failure('already_active')
    await makeTeam(tx, accountId, owner.id)
    ports.live?.endSessions(tx, await deleteSessionsOf(tx, [owner.id]))
    await recordForOwner(tx, ports, { accountId, userId: owner.id, kind: 'pro_made' })
    return { deed: { kind: 'pro_made', subject: owner.email, accountId }, response: { account: accountId } }
  })

type Gift = { tracker: number; months: number }

/**
 * Extends the subscription of a tracker free of charge, from its end or from now if that has passed. Throws `subscription_required` for a
 * tracker that has none yet, `recurring_active` while it renews, because the card would be charged at the former end, and `no_change` for
 * one without an end.
 */
export const giveMonths = (ports: HelpPorts, accountId: number, { tracker, months }: Gift) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const [owner] = await getPeople(tx, accountId)
    const device = await getTracker(tx, accountId, tracker)
    const now = ports.clock.now()
    const state = currentSubState(device.subState, device.subEndDate, now)
    if (state === 'none' || state === 'not_activated') throw new Failure('subscription_required')
    if (isUnlimited(state, device.subEndDate)) throw new Failure('no_change')
    if ((await findSubscription(tx, device.id))?.isRecurring) throw new Failure('recurring_active')
    const end = computeEndDate(now, device.subEndDate, months, 0)
    await activateDevice(tx, device.id, end)
    await setNewestEnd(tx, device.id, end)
    touch(tx, device)
    const about = { aboutId: device.id, about: device.name }
    await recordForOwner(tx, ports, { accountId, kind: 'months_given', ...about })
    const data = { tracker: device.name, device: String(device.id), months: String(months), datetime: formatInstant(end) }
    await queueMail(tx, { to: owner.email, template: 'months_given', ...recipientColumns(owner), data, now })
    return {
      deed: { kind: 'months_given', subject: nameTracker(device), accountId, detail: { months, end: formatInstant(end) } },
      response: { tracker: device.id, sub_end_date: formatInstant(end) },
    }
  })

type Resent = { user?: number | undefined; mail: (typeof RESENT_MAILS)[number] }

/**
 * Mails a new link to a user of the account, by default its owner: to confirm the address, or to set a password. Throws `no_change` for a
 * confirmed address, and `throttled` after five mails an hour.
 */
export const resendMail = (ports: HelpPorts, accountId: number, { user, mail }: Resent) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const person = await getPerson(tx, accountId, user)
    if (mail === 'confirmation' && person.emailConfirmed) throw new Failure('no_change')
    if (mail === 'confirmation') await sendRequestedConfirmation(tx, ports, person)
    else await mailPasswordReset(tx, ports, person)
    return { deed: { kind: 'mail_resent', subject: person.email, accountId, detail: { mail } }, response: { email: person.email } }
  })

/**
 * Starts a change of the e-mail address of a user of the account, by default its owner. It holds once the new address is confirmed; the
 * mail to the present one has a link that stops it. Throws `email_exists`, `no_change`, and `throttled` after five an hour.
 */
export const changeCustomerEmail = (ports: HelpPorts, accountId: number, { user, email, reason }: NewCustomerEmail) =>
  doDeed(ports, [`account:${accountId}`], async (tx) => {
    const person = await getPerson(tx, accountId, user)
    await startEmailChangeBySupport(tx, ports, person, email)
    await recordForOwner(tx, ports, { accountId, userId: person.id, kind: 'email_change_started', about: email })
    return { deed: { kind: 'email_change_started', subject: person.email, accountId, detail: { email, reason } }, response: { email } }
  })

import { parseArgs } from 'node:util'
import { type ownerRequests as contract, type OwnerRequest, REQUEST_STATUSES } from '#contracts/operator/requests.ts'
import { formatIdentifier, formatReference, parseReference } from '#contracts/rules/reading/text.ts'
import { currentSubState } from '#contracts/rules/subscription.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { personName } from '#contracts/rules/user.ts'
import type { DbReader, LockFinder, Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { countOwnMoves, findOwnTrackers } from '#server/billing/moves/plan-moves.store.ts'
import { countOwnPauses } from '#server/billing/pauses/plan-pauses.store.ts'
import { type DeedPorts, doDeed, PROGRAM } from '#server/deeds/do-deed.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { requireNotLostOrStolen } from '#server/lib/lost-and-stolen.ts'
import { parsePageEnd } from '#server/lib/pages/page-end.ts'
import { movePlanForOwner } from '#server/operator/plans/move-plan.ts'
import { pausePlanForOwner } from '#server/operator/plans/pause-plan.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { removeFromOwner } from '#server/trackers/ownership/remove-trackers.ts'
import { decideRequest, type FullRequest, findRequest, listRequests, type RequestFilter, type RequestRow } from './requests.store.ts'

type Ports = DeedPorts & Pick<World, 'positions' | 'claims'>

const PAGE_SIZE = 50

const presentAsked = (request: RequestRow) => ({
  email: request.email,
  reason: request.reason,
  message: request.message,
  purchase_date: request.purchaseDate,
  purchase_place: request.purchasePlace,
  order_reference: request.orderReference,
})

const isLost = ({ mode, pendingMode }: DeviceRow) => [mode, pendingMode].some((each) => each !== null && modeLabel(each).kind === 'lost')

async function presentHolder(db: DbReader, device: DeviceRow, isStolen: boolean, now: Date) {
  const owner = await findAccountOwner(db, device.accountId)
  return {
    account: device.accountId,
    email: owner?.email ?? '',
    since: formatInstant(device.createdAt),
    proven: device.serial !== null,
    sub_state: currentSubState(device.subState, device.subEndDate, now),
    last_message_at: device.lastMessageAt && formatInstant(device.lastMessageAt),
    reported_missing: isStolen || isLost(device),
  }
}

const presentMoved = (device: DeviceRow | undefined) =>
  device ? { id: device.id, name: device.name, identifier: device.identifier && formatIdentifier(device.identifier) } : null

/** The trackers of a plan that is to be moved; null for a request about a tracker. */
async function presentMove(db: DbReader, { request, requester }: FullRequest, now: Date) {
  if (request.kind !== 'plan_move' || !requester) return null
  const { from, to } = pickMove(request)
  const own = await findOwnTrackers(db, requester.accountId, [from, to])
  return { from: presentMoved(own.get(from)), to: presentMoved(own.get(to)), own_moves: await countOwnMoves(db, requester.accountId, now) }
}

/** The tracker of a plan that is to be paused; null for another request. */
async function presentPause(db: DbReader, { request, requester }: FullRequest, now: Date) {
  if (request.kind !== 'plan_pause' || !requester) return null
  const { tracker, until } = pickPause(request)
  const device = (await findOwnTrackers(db, requester.accountId, [tracker])).get(tracker)
  return { tracker: presentMoved(device), until, own_pauses: await countOwnPauses(db, tracker, now) }
}

const pickPause = ({ fromDeviceId, pauseUntil, createdAt }: RequestRow) => ({
  tracker: fromDeviceId ?? 0,
  until: formatInstant(pauseUntil ?? createdAt),
})

const pickMove = ({ fromDeviceId, toDeviceId }: RequestRow) => ({ from: fromDeviceId ?? 0, to: toDeviceId ?? 0 })

export async function presentRequest(db: DbReader, full: FullRequest, now: Date): Promise<OwnerRequest> {
  const { request, requester, device } = full
  const move = await presentMove(db, full, now)
  const pause = await presentPause(db, full, now)
  return {
    reference: formatReference(request.id),
    kind: request.kind,
    status: request.status,
    created_at: formatInstant(request.createdAt),
    identifier: request.kind === 'tracker' ? formatIdentifier(request.identifier) : ((move?.from ?? pause?.tracker)?.identifier ?? ''),
    in_stock: full.inStock,
    requester: requester && {
      account: requester.accountId,
      email: requester.email,
      name: personName(requester.firstName, requester.lastName, requester.language),
    },
    ...presentAsked(request),
    holder: device && (await presentHolder(db, device, full.isStolen, now)),
    move,
    pause,
    decided_at: request.decidedAt && formatInstant(request.decidedAt),
    decided_by: request.decidedBy,
    refusal: request.refusal,
  }
}

/** Locks the accounts of both sides, and the number of a tracker. */
const lockOf =
  (id: number): LockFinder =>
  async (db) => {
    const full = await findRequest(db, id)
    const accounts = [full?.requester?.accountId, full?.device?.accountId].filter((each) => each !== undefined)
    const number = full?.request.identifier
    return [...[...new Set(accounts)].map((each) => `account:${each}` as const), ...(number ? [`tracker:${number}` as const] : [])]
  }

async function getPending(tx: Tx, id: number) {
  const full = await findRequest(tx, id)
  if (!full) throw new Failure('not_found')
  if (full.request.status !== 'pending') throw new Failure('already_decided')
  return full
}

async function saveDecision(tx: Tx, ports: Ports, id: number, decision: Pick<RequestRow, 'status' | 'refusal'>) {
  const now = ports.clock.now()
  await decideRequest(tx, id, { ...decision, decidedAt: now, decidedBy: ports.actor.who })
  return presentRequest(tx, (await findRequest(tx, id))!, now)
}

/**
 * Removes the tracker from its current account. The owner and all requesters get a mail; for a week only the requesters can add the
 * tracker. Throws `already_decided`, and `reported_missing` for a lost or stolen tracker. A plan moves to the tracker that the owner named,
 * or is paused; throws as `movePlanForOwner` and `pausePlanForOwner` do.
 */
const acceptRequest = (ports: Ports, id: number) =>
  doDeed(ports, lockOf(id), async (tx) => {
    const { request, device, requester } = await getPending(tx, id)
    if (request.kind !== 'tracker') {
      if (!requester) throw new Failure('not_found')
      const { accountId } = requester
      const { deed } =
        request.kind === 'plan_move'
          ? await movePlanForOwner(tx, ports, accountId, pickMove(request))
          : await pausePlanForOwner(tx, ports, accountId, pickPause(request))
      const response = await saveDecision(tx, ports, id, { status: 'accepted', refusal: null })
      const accepted = {
        kind: 'request_accepted',
        subject: formatReference(id),
        accountId,
        detail: { identifier: 'from' in deed.detail ? deed.detail.from : deed.subject },
      } as const
      return { deed: accepted, alike: [deed], response }
    }
    if (device) {
      await requireNotLostOrStolen(tx, device)
      touch(tx, device)
      await removeFromOwner(tx, ports, device)
    }
    const response = await saveDecision(tx, ports, id, { status: 'accepted', refusal: null })
    const detail = { identifier: formatIdentifier(request.identifier) }
    const concerns = device ? { accountId: device.accountId } : {}
    return { deed: { kind: 'request_accepted', subject: formatReference(id), ...concerns, detail }, response }
  })

async function mailRefusal(
  tx: Tx,
  { request, requester }: Pick<FullRequest, 'request'> & { requester: NonNullable<FullRequest['requester']> },
  reason: string,
  now: Date,
) {
  const [answer, recipient] = [
    { reference: formatReference(request.id), reason },
    { to: request.email, ...recipientColumns(requester), now },
  ]
  if (request.kind === 'tracker') {
    const data = { ...answer, identifier: formatIdentifier(request.identifier) }
    return queueMail(tx, { ...recipient, template: 'unlink_refused', data })
  }
  const { from, to } = pickMove(request)
  const own = await findOwnTrackers(tx, requester.accountId, [from, to])
  if (request.kind === 'plan_pause') {
    const data = { ...answer, tracker: own.get(from)?.name ?? '–' }
    return queueMail(tx, { ...recipient, template: 'plan_pause_refused', data })
  }
  const data = { ...answer, from: own.get(from)?.name ?? '–', to: own.get(to)?.name ?? '–' }
  return queueMail(tx, { ...recipient, template: 'plan_move_refused', data })
}

/** Refuses a request and mails the reason. Throws `already_decided`. */
const refuseRequest = (ports: Ports, id: number, reason: string) =>
  doDeed(ports, lockOf(id), async (tx) => {
    const { requester, ...full } = await getPending(tx, id)
    if (requester) await mailRefusal(tx, { ...full, requester }, reason, ports.clock.now())
    const response = await saveDecision(tx, ports, id, { status: 'refused', refusal: reason })
    const concerns = requester ? { accountId: requester.accountId } : {}
    return { deed: { kind: 'request_refused', subject: formatReference(id), ...concerns }, response }
  })

type Query = Omit<RequestFilter, 'after'> & { after?: string | undefined }

/** A page of the requests, and the `after` of the next page. */
async function readPage(db: DbReader, { search, after, ...query }: Query, now: Date) {
  const rows = await listRequests(db, { ...query, search: search?.trim(), after: parsePageEnd(after) }, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const requests = await Promise.all(page.map((row) => presentRequest(db, row, now)))
  return { requests, next: rows.length > PAGE_SIZE ? String(page.at(-1)!.request.id) : null }
}

export const ownerRequests: Handlers<typeof contract> = {
  list: ({ query }, { db, clock }) => readPage(db.read, query, clock.now()),
  accept: ({ params }, context) => acceptRequest(context, parseReference(params.reference)),
  refuse: ({ params, body }, context) => refuseRequest(context, parseReference(params.reference), body.reason),
}

export const REQUESTS_USAGE = `  requests [list] [${REQUEST_STATUSES.join('|')}] [--search=TEXT]   prints the requests of owners, one JSON object a line
  requests accept UR-000123  frees the tracker for who asked for it, or moves or pauses the plan
  requests refuse UR-000123 REASON   refuses it; the requester gets the reason by mail`

type CommandPorts = Omit<Ports, 'actor'> & { print(line: string): void }

/** The operator's command. Returns false for arguments that it does not know. */
export async function operateRequests(given: CommandPorts, args: string[]) {
  const { values, positionals } = parseArgs({ args, options: { search: { type: 'string' } }, allowPositionals: true })
  const [deed, reference, reason, ...more] = positionals
  const ports = { ...given, actor: PROGRAM }
  const status = REQUEST_STATUSES.find((each) => each === deed)
  if (reference === undefined) {
    if (deed !== undefined && !status) return false
    await printRequests(given, { status, search: values.search })
    return true
  }
  if (!/^UR-\d+$/.test(reference) || more.length > 0) return false
  if (deed === 'accept' && reason === undefined) await acceptRequest(ports, parseReference(reference))
  else if (deed === 'refuse' && reason !== undefined) await refuseRequest(ports, parseReference(reference), reason)
  else return false
  ports.print(`${reference} is ${deed === 'accept' ? 'accepted' : 'refused'}.`)
  return true
}

async function printRequests({ db, clock, print }: CommandPorts, filter: Query) {
  let after: string | null | undefined
  do {
    const page = await readPage(db.read, { ...filter, ...(after && { after }) }, clock.now())
    for (const request of page.requests) print(JSON.stringify(request))
    after = page.next
  } while (after)
}

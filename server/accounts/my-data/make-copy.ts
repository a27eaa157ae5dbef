import { DATA_COPY } from '#contracts/accounts/my-data.ts'
import { type Role, rights } from '#contracts/lib/rights.ts'
import { formatInstant, HOUR_MS } from '#contracts/rules/time.ts'
import type { Normal } from '#contracts/trackers/normal.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { findDevice, listDeviceIds, type Viewer } from '#db/scope.ts'
import { apiTokens } from '#server/accounts/api-tokens/api-tokens.handlers.ts'
import { terms } from '#server/accounts/users/terms.handlers.ts'
import { users } from '#server/accounts/users/users.handlers.ts'
import { alerts } from '#server/alerts/alerts.handlers.ts'
import { readFirings } from '#server/alerts/firings.handlers.ts'
import { silences } from '#server/alerts/silences.handlers.ts'
import { careClaims } from '#server/billing/care/care-claims.handlers.ts'
import { invoices } from '#server/billing/invoices/invoices.handlers.ts'
import { orders } from '#server/billing/orders/orders.handlers.ts'
import { buildInvoiceFile } from '#server/billing/paper/invoice-file.ts'
import { invoicesInSight } from '#server/billing/records/invoices.store.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import { channels } from '#server/channels/channels.handlers.ts'
import { contacts } from '#server/contacts/contacts.handlers.ts'
import { type PackedFile, packFile } from '#server/lib/zip.ts'
import { links } from '#server/links/links.handlers.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { places } from '#server/places/places.handlers.ts'
import type { ViewerContext, World } from '#server/ports/world.ts'
import { listOpenSessions } from '#server/security/open-sessions.ts'
import { readSecurityLog } from '#server/security/security-log.ts'
import { tags } from '#server/tags/tags.handlers.ts'
import { devices } from '#server/trackers/devices.handlers.ts'
import { streamGpx } from '#server/tracking/export/export.ts'
import { endHistory, findLastShown } from '#server/tracking/history/history.ts'
import { readNormal } from '#server/tracking/normal/normal.handlers.ts'
import { countBytes, findNextCopy, findRunningCopy, finishCopy, insertFile, listFileNames, listRunningCopies } from './my-data.store.ts'

/** Everything except positions and invoices, as the API returns it to the user: one JSON file per subject. */
export async function collectRecords(context: ViewerContext): Promise<PackedFile[]> {
  const buys = (rights.readOrders as readonly string[]).includes(context.viewer.role)
  const records: Record<string, unknown> = {
    account: {
      user: await users.me({}, context),
      settings: await users.settings({}, context),
      terms: await terms.read({}, context),
      sessions: await listOpenSessions(context),
      api_tokens: await apiTokens.list({}, context),
      channels: await channels.list({}, context),
    },
    trackers: await devices.list({ query: { type: 'tracker' } }, context),
    places: await places.list({}, context),
    alerts: await alerts.list({}, context),
    silences: await silences.list({}, context),
    fired_alerts: await readAllFirings(context),
    usual: await readUsual(context),
    contacts: await contacts.list({}, context),
    tags: await tags.list({}, context),
    public_links: await links.list({}, context),
    ...(buys && {
      orders: await orders.list({}, context),
      invoices: await invoices.list({}, context),
      care_claims: await careClaims.list({ query: {} }, context),
      subscriptions: await subscriptions.list({}, context),
    }),
    security_log: await readWholeLog(context),
  }
  const at = context.clock.now()
  return Promise.all(Object.entries(records).map(([name, record]) => packFile(`${name}.json`, at, encode(record))))
}

/** Where the trackers usually are, of which the user lets the server learn it. */
async function readUsual(context: ViewerContext) {
  const found: (Normal & { tracker: number })[] = []
  for (const id of await listDeviceIds(context.db.read, context.viewer)) {
    const usual = await readNormal(context, id)
    if (usual.enabled) found.push({ tracker: id, ...usual })
  }
  return found
}

const readWholeLog = (context: ViewerContext) => readPages((before) => readSecurityLog(context, before))

const readAllFirings = (context: ViewerContext) =>
  readPages(async (before) => {
    const page = await readFirings(context, { before })
    return { entries: page.firings, next: page.next }
  })

/** Reads all pages; `next` is the `before` parameter of the following one. */
async function readPages<T>(readPage: (before: string | undefined) => Promise<{ entries: readonly T[]; next?: string | null }>) {
  const entries: T[] = []
  let before: string | undefined
  do {
    const page = await readPage(before)
    entries.push(...page.entries)
    before = page.next ?? undefined
  } while (before !== undefined)
  return entries
}

/** The list of trackers is encoded already. */
const encode = (record: unknown) =>
  Buffer.from(JSON.stringify(isComposed(record) ? JSON.parse(record.composed.toString()) : record, null, 2))

const isComposed = (record: unknown): record is { composed: Buffer } =>
  typeof record === 'object' && record !== null && 'composed' in record

type Running = Awaited<ReturnType<typeof listRunningCopies>>[number]
type CopyWorld = Pick<World, 'db' | 'productName' | 'graceDays'> & { payments: Pick<World['payments'], 'isLive'> }
type NewFile = { name: string; read(): Promise<Uint8Array | undefined> }

/**
 * Adds tracks and invoices to the copies that users requested, and mails that they are ready. Each file is saved once it is complete, so
 * that an interrupted copy continues.
 */
export const dataCopy = {
  name: 'data_copy',
  next: findNextCopy,
  /** Time of the oldest running copy; abandoned ones do not count. */
  async dueSince(db: DbReader, by: Date) {
    const instants = (await listRunningCopies(db, by)).map(({ copy }) => copy.createdAt.getTime())
    return instants.length > 0 ? new Date(Math.min(...instants)) : null
  },
  due: async (db: DbReader, by: Date) =>
    (await listRunningCopies(db, by)).map((running) => ({
      ref: `users/${running.user.id}`,
      lock: [`account:${running.user.accountId}`] as const,
      prepare: (world: CopyWorld, now: Date) => addFiles(world, running, now),
      async run(tx: Tx, now: Date) {
        const { copy, user } = running
        if (!(await findRunningCopy(tx, copy.id))) return false
        const endsAt = new Date(now.getTime() + DATA_COPY.hours * HOUR_MS)
        await finishCopy(tx, copy.id, { readyAt: now, endsAt, size: await countBytes(tx, copy.id) })
        await queueMail(tx, {
          to: user.email,
          template: 'data_ready',
          ...recipientColumns(user),
          data: { datetime: formatInstant(endsAt) },
          now,
        })
        return true
      },
    })),
}

async function addFiles(world: CopyWorld, { copy, user }: Running, now: Date) {
  const { db } = world
  const viewer = { userId: user.id, accountId: user.accountId, role: user.role }
  const known = new Set(await listFileNames(db.read, copy.id))
  const add = async ({ name, read }: NewFile) => {
    const content = known.has(name) ? undefined : await read()
    if (!content) return
    const file: PackedFile = await packFile(name, copy.createdAt, content)
    await db.long.write([`account:${user.accountId}`], async (tx) => {
      if (await findRunningCopy(tx, copy.id)) await insertFile(tx, copy.id, file)
    })
  }
  for await (const file of listTracks(world, viewer, { until: copy.createdAt, now })) await add(file)
  if (!includes(rights.readOrders, user.role)) return
  for (const invoice of await invoicesInSight(db.read, viewer))
    await add({
      name: `invoices/${invoice.number}.pdf`,
      read: async () => (await buildInvoiceFile({ ...world, clock: { now: () => now } }, invoice, user.language))?.content,
    })
}

const includes = (roles: readonly Role[], role: Role) => roles.includes(role)

type CopyTime = { until: Date; now: Date }

/** One file for each tracker and month with positions, up to `until`. */
async function* listTracks({ db, graceDays }: CopyWorld, viewer: Viewer, { until, now }: CopyTime): AsyncGenerator<NewFile> {
  for (const id of await listDeviceIds(db.read, viewer)) {
    const device = await findDevice(db.read, viewer, id)
    if (!device) continue
    const history = endHistory(db.history(), findLastShown(device, now, graceDays))
    const oldest = await history.oldest(id)
    if (oldest === null) continue
    const folder = `tracks/${id} ${device.name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}`
    for (let from = startOfMonth(new Date(oldest * 1000)); from <= until; from = startOfMonth(from, 1)) {
      const last = Math.min(startOfMonth(from, 1).getTime() - 1000, until.getTime())
      const isEmpty = (await history.count(id, from.getTime() / 1000, Math.floor(last / 1000))) === 0
      if (isEmpty) continue
      const track = { name: device.name, id }
      const read = () => readAll(streamGpx(history, track, { from, to: new Date(last) }))
      yield { name: `${folder}/${from.toISOString().slice(0, 7)}.gpx`, read }
    }
  }
}

async function readAll(parts: AsyncIterable<string>) {
  let text = ''
  for await (const part of parts) text += part
  return Buffer.from(text)
}

/** Start of a month in UTC. */
const startOfMonth = (date: Date, later = 0) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later))

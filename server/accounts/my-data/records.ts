import { rights } from '#contracts/lib/rights.ts'
import { apiTokens } from '#server/accounts/api-tokens/api-tokens.handlers.ts'
import { users } from '#server/accounts/users/users.handlers.ts'
import { alerts } from '#server/alerts/alerts.handlers.ts'
import { readFirings } from '#server/alerts/firings.handlers.ts'
import { careClaims } from '#server/billing/care/care-claims.handlers.ts'
import { invoices } from '#server/billing/invoices/invoices.handlers.ts'
import { orders } from '#server/billing/orders/orders.handlers.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import { contacts } from '#server/contacts/contacts.handlers.ts'
import { devices } from '#server/devices/devices.handlers.ts'
import { type PackedFile, packFile } from '#server/lib/zip.ts'
import { links } from '#server/links/links.handlers.ts'
import { places } from '#server/places/places.handlers.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { listOpenSessions } from '#server/security/open-sessions.ts'
import { readSecurityLog } from '#server/security/security-log.ts'
import { tags } from '#server/tags/tags.handlers.ts'

/** Everything but positions and invoices, as the API presents it to the user: a JSON file for each subject. */
export async function collectRecords(context: ViewerContext): Promise<PackedFile[]> {
  const buys = (rights.readOrders as readonly string[]).includes(context.viewer.role)
  const records: Record<string, unknown> = {
    account: {
      user: await users.me({}, context),
      settings: await users.settings({}, context),
      sessions: await listOpenSessions(context),
      api_tokens: await apiTokens.list({}, context),
    },
    trackers: await devices.list({ query: { type: 'tracker' } }, context),
    places: await places.list({}, context),
    alerts: await alerts.list({}, context),
    fired_alerts: await readAllFirings(context),
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

const readWholeLog = (context: ViewerContext) => readPages((before) => readSecurityLog(context, before))

const readAllFirings = (context: ViewerContext) =>
  readPages(async (before) => {
    const page = await readFirings(context, { before })
    return { entries: page.firings, next: page.next }
  })

/** Reads page after page; `next` is the `before` of the following one. */
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

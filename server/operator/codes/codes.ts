import type * as z from 'zod/mini'
import type { Language } from '#contracts/lib/languages.ts'
import type { BatchSort, Code, CodeBatch, CodeSort, codes as contract, MailedCode, NewCodes } from '#contracts/operator/codes.ts'
import { normalizeVerificationCode } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { drawSheet } from './code-sheet.ts'
import {
  type CodeFilter,
  type CodeRow,
  type CountedBatch,
  findBatch,
  findPlan,
  findUserByEmail,
  insertBatch,
  insertCodes,
  listBatches,
  listCodes,
  listPlans,
  voidCodes,
} from './codes.store.ts'

type Ports = DeedPorts & Pick<World, 'ids'>

const PAGE_SIZE = 100

const stateOf = ({ usedAt, voidedAt, endsAt }: CodeRow, now: Date) => {
  if (usedAt) return 'used'
  if (voidedAt) return 'void'
  return endsAt && endsAt <= now ? 'expired' : 'open'
}

const toTime = (at: Date | null) => at && formatInstant(at)

const presentCode = (row: CodeRow, now: Date): Code => ({
  code: row.code,
  state: stateOf(row, now),
  months: row.months,
  extra: row.extra ?? 0,
  batch: row.batchId,
  ends_at: toTime(row.endsAt),
  used_at: toTime(row.usedAt),
  mailed_to: row.mailedTo,
})

const presentBatch = ({ batch, used, voided }: CountedBatch): CodeBatch => ({
  id: batch.id,
  name: batch.name,
  plan: batch.priceId,
  months: batch.months,
  extra: batch.extra,
  count: batch.count,
  used,
  void: voided,
  ends_at: toTime(batch.endsAt),
  created_at: formatInstant(batch.createdAt),
  created_by: batch.createdBy,
})

/** Letters and digits that are not mistaken for one another in print. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 8

const createCode = ({ ids }: Pick<World, 'ids'>) =>
  Array.from({ length: LENGTH }, (_, nth) => ids.token().slice(2 * nth, 2 * nth + 2))
    .map((byte) => SIGNS[Number.parseInt(byte, 16) % SIGNS.length])
    .join('')

type Worth = Pick<z.infer<typeof NewCodes>, 'plan' | 'months' | 'ends_at'>

/** What codes are worth. Throws field errors for an unknown plan, for both or neither of plan and months, and for a day in the past. */
async function readWorth(db: DbReader, { plan, months, ends_at }: Worth, now: Date) {
  if (plan !== undefined && months !== undefined) throw invalidField('months', 'Give a plan or months, not both')
  if (plan === undefined && months === undefined) throw invalidField('months', 'Give a plan or months')
  const endsAt = ends_at ? new Date(ends_at) : null
  if (endsAt && endsAt <= now) throw invalidField('ends_at', 'Is in the past')
  if (plan === undefined) return { priceId: null, months: months ?? 0, extra: 0, endsAt }
  const found = await findPlan(db, plan)
  if (!found) throw invalidField('plan', 'No plan of the price list has this id')
  return { priceId: found.id, months: found.months, extra: found.extra, endsAt }
}

/** Codes are random, so one that exists already is replaced by another. */
async function addCodes(tx: Tx, ports: Ports, wanted: number, row: Omit<CodeRow, 'code' | 'deviceId' | 'usedAt' | 'voidedAt'>) {
  const added: CodeRow[] = []
  while (added.length < wanted) {
    const made = new Set(Array.from({ length: wanted - added.length }, () => createCode(ports)))
    added.push(
      ...(await insertCodes(
        tx,
        [...made].map((code) => ({ ...row, code })),
      )),
    )
  }
  return added
}

export const makeCodes = (ports: Ports, { name, count, ...worth }: z.infer<typeof NewCodes>) =>
  doDeed(ports, [], async (tx) => {
    const { actor, clock } = ports
    const { priceId, months, extra, endsAt } = await readWorth(tx, worth, clock.now())
    const row = { name, priceId, months, extra, count, endsAt, createdAt: clock.now(), createdBy: actor.who }
    const batch = await insertBatch(tx, row)
    const added = await addCodes(tx, ports, count, { months, extra, endsAt, batchId: batch.id, mailedTo: null })
    const codes = added.map(({ code }) => code).sort()
    return {
      deed: { kind: 'codes_made', subject: name, detail: { number: count, months: months + extra } },
      response: { batch: presentBatch({ batch, used: 0, voided: 0 }), codes },
    }
  })

/** Mails one code, in the language of the account that has the address. */
export const mailCode = (ports: Ports, { email, language, ...worth }: z.infer<typeof MailedCode>) =>
  doDeed(ports, [], async (tx) => {
    const now = ports.clock.now()
    const { months, extra, endsAt } = await readWorth(tx, worth, now)
    const [row] = await addCodes(tx, ports, 1, { months, extra, endsAt, batchId: null, mailedTo: email })
    const user = await findUserByEmail(tx, email)
    const to = { language: language ?? user?.language ?? ('en' as const), ...(user && { userId: user.id, timeZone: user.timeZone }) }
    const data = { code: row!.code, months: String(months), ...(extra > 0 && { extra: String(extra) }) }
    await queueMail(tx, { to: email, template: 'subscription_code', ...to, data, now })
    return {
      deed: { kind: 'code_mailed', subject: email, ...(user && { accountId: user.accountId }), detail: { months: months + extra } },
      response: presentCode(row!, now),
    }
  })

export const cancelCodes = (ports: DeedPorts, { batch, codes: given = [] }: { batch?: number | undefined; codes?: string[] | undefined }) =>
  doDeed(ports, [], async (tx) => {
    if ((batch === undefined) === (given.length === 0)) throw invalidField('codes', 'Give codes or a batch')
    const codes = [...new Set(given.map((code) => normalizeVerificationCode(code) ?? code))].sort()
    const found = batch === undefined ? undefined : await findBatch(tx, batch)
    if (batch !== undefined && !found) throw new Failure('not_found')
    const voided = await voidCodes(tx, batch === undefined ? { codes } : { batch }, ports.clock.now())
    if (batch === undefined && voided.length === 0) throw new Failure('not_found')
    const kept = codes.filter((code) => !voided.includes(code))
    return {
      deed: { kind: 'codes_voided', subject: found?.batch.name ?? voided.join(', ').slice(0, 200), detail: { number: voided.length } },
      response: { voided: voided.length, kept },
    }
  })

/** The printable page of a batch; undefined when there is none. */
export async function readSheet(
  ports: Pick<World, 'clock' | 'origin' | 'productName'> & { db: { read: DbReader } },
  id: number,
  language: Language,
) {
  const found = await findBatch(ports.db.read, id)
  if (!found) return undefined
  const filter = { batch: id, state: 'open' as const, now: ports.clock.now() }
  const rows = await listCodes(ports.db.read, filter, found.batch.count)
  return { name: found.batch.name, html: drawSheet(ports, { batch: found.batch, codes: rows.map(({ code }) => code), language }) }
}

type BatchQuery = { sort?: BatchSort | undefined; before?: string | undefined }

export async function pageBatches(db: DbReader, { sort, before }: BatchQuery) {
  const rows = await listBatches(db, { sort, before: parsePageEnd(before) }, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  return { batches: page.map(presentBatch), next: last && rows.length > PAGE_SIZE ? endOfBatches(last, sort) : null }
}

function endOfBatches({ batch: { id, months, extra, count }, lowerName }: CountedBatch & { lowerName: string }, sort: BatchSort = '-made') {
  const values = { name: lowerName, made: id, months: months + extra, count }
  return formatPageEnd(values[sort.replace(/^-/, '') as keyof typeof values], id)
}

type CodeQuery = Omit<CodeFilter, 'after'> & { after?: string | undefined }

export async function pageCodes(db: DbReader, { after, ...filter }: CodeQuery) {
  const rows = await listCodes(db, { ...filter, after: parsePageEnd(after) }, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  return {
    codes: page.map((row) => presentCode(row, filter.now)),
    next: last && rows.length > PAGE_SIZE ? endOfCodes(last, filter.sort) : null,
  }
}

function endOfCodes({ code, months, extra, mailedTo }: CodeRow, sort: CodeSort = 'code') {
  const values = { code, months: (months ?? 0) + (extra ?? 0), address: mailedTo ?? '' }
  return formatPageEnd(values[sort.replace(/^-/, '') as keyof typeof values], code)
}

export const codes: Handlers<typeof contract> = {
  batches: ({ query }, { db }) => pageBatches(db.read, query),
  list: ({ query: { batch, mailed, ...filter } }, { db, clock }) =>
    pageCodes(db.read, { ...filter, mailed: mailed === 'true', ...(batch !== undefined && { batch: Number(batch) }), now: clock.now() }),
  plans: async (_, { db }) => ({ plans: await listPlans(db.read) }),
  make: ({ body }, context) => makeCodes(context, body),
  mail: ({ body }, context) => mailCode(context, body),
  void: ({ body }, context) => cancelCodes(context, body),
  async sheet({ params, query: { language = 'en' } }, context) {
    const sheet = await readSheet(context, params.id, language)
    if (!sheet) throw new Failure('not_found')
    return { filename: `${sheet.name}.html`, content: Buffer.from(sheet.html) }
  },
}

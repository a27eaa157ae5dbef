import * as z from 'zod/mini'
import { Id, Instant, listed } from '#contracts/lib/common.ts'
import { type Contract, upload } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { DEVICE_TYPES } from '#contracts/rules/tracking/tracker.ts'
import { type Sort, SortOf } from './sorting.ts'

export const STOCK_STATES = ['in_stock', 'claimed', 'blocked'] as const
export type StockState = (typeof STOCK_STATES)[number]

export const STOCK_LIMITS = {
  fileBytes: 32 * 1024 * 1024,
  /** Refused lines that a response lists; it always has their number. */
  refusedLines: 200,
  /** Items that one call blocks or unblocks. */
  items: 100,
  batch: 60,
} as const

/** A manufactured tracker. It stays in stock when an account has claimed it. */
export const StockItem = z.object({
  /** Such as `12345678-90`. */
  identifier: z.string(),
  serial: z.string(),
  type: listed(DEVICE_TYPES),
  board: z.string(),
  /** Months of service that come with it, once. */
  months: z.int(),
  batch: z.nullable(z.string()),
  state: listed(STOCK_STATES),
  /** Null when unknown: added before this was recorded. */
  added_at: z.nullable(Instant),
  blocked_at: z.nullable(Instant),
  /** The account that has it. */
  account: z.nullable(Id),
  /** The order with which it was sent. */
  order: z.nullable(z.string()),
})
export type StockItem = z.infer<typeof StockItem>

export const STOCK_STEPS = ['added', 'months_used', 'requested', 'claimed', 'removed', 'blocked', 'unblocked'] as const

/** Something that happened to an item. */
export const StockStep = z.object({
  at: z.nullable(Instant),
  what: listed(STOCK_STEPS),
  /** Who of the staff did it. */
  who: z.nullable(z.string()),
  /** The account that claimed it, or from which it was removed. Null for other steps and for an erased account. */
  account: z.nullable(Id),
  /** The reason of a block, or the reference of a request. */
  detail: z.nullable(z.string()),
})
export type StockStep = z.infer<typeof StockStep>

export const STOCK_COLUMNS = { required: ['identifier', 'serial', 'type'], optional: ['board', 'months', 'batch'] } as const

/** Why a line is refused. */
export const STOCK_REFUSALS = ['identifier', 'phone', 'serial', 'type', 'months', 'too_long', 'repeated', 'other'] as const
export type StockRefusal = (typeof STOCK_REFUSALS)[number]

export const StockReport = z.object({
  added: z.int(),
  changed: z.int(),
  known: z.int(),
  /** Trackers on accounts that get their S/N. */
  completed: z.int(),
  refused: z.int(),
  /** The first refused lines; lines count from 1. */
  refused_lines: z.array(
    z.object({ line: z.int(), column: z.string(), code: listed(STOCK_REFUSALS), value: z.string(), reason: z.string() }),
  ),
})
export type StockReport = z.infer<typeof StockReport>

const Identifier = z.string().check(z.regex(/^\d{8}[- ]?\d{2}$/))
const Items = z.array(Identifier).check(z.minLength(1), z.maxLength(STOCK_LIMITS.items))
/** `unknown` are the identifiers that are not in stock. */
const Blocked = z.object({ changed: z.array(z.string()), unknown: z.array(z.string()) })

export const STOCK_SORTS = ['identifier', 'serial', 'type', 'batch', 'months', 'added'] as const
export type StockSort = Sort<(typeof STOCK_SORTS)[number]>

export const stock = {
  list: {
    method: 'GET',
    path: '/operator/api/stock/',
    summary: 'A page of the stock in the order of identifiers or by `sort`; `next` is the `after` of the next page',
    access: { staff: staffRights.readStock },
    query: z.object({
      /** The beginning of an identifier or S/N. */
      search: z.optional(z.string().check(z.maxLength(40))),
      type: z.optional(z.enum(DEVICE_TYPES)),
      state: z.optional(z.enum(STOCK_STATES)),
      batch: z.optional(z.string().check(z.maxLength(STOCK_LIMITS.batch))),
      sort: SortOf(STOCK_SORTS),
      after: z.optional(z.string().check(z.regex(/^(?:[\s\S]{0,100}_)?\d{10}$/))),
    }),
    response: { 200: z.object({ items: z.array(StockItem), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  get: {
    method: 'GET',
    path: '/operator/api/stock/:identifier/',
    summary: 'An item of the stock, and what happened to it, oldest first',
    access: { staff: staffRights.readStock },
    params: z.object({ identifier: Identifier }),
    response: { 200: z.object({ item: StockItem, history: z.array(StockStep) }) },
    safety: 'read',
    provenance: 'ours',
  },
  preview: {
    method: 'POST',
    path: '/operator/api/stock/preview/',
    summary: 'Tells what the import of a csv would do, and which lines it would refuse; changes nothing',
    access: { staff: staffRights.handleStock },
    body: upload('text/csv', STOCK_LIMITS.fileBytes),
    response: { 200: StockReport },
    safety: 'read',
    provenance: 'ours',
  },
  import: {
    method: 'POST',
    path: '/operator/api/stock/import/',
    summary:
      'Imports a csv with the columns identifier, serial, type, board, months and batch; a file with a wrong line is refused as a whole',
    access: { staff: staffRights.handleStock },
    query: z.object({
      /** `true` imports the good lines of a file that has wrong ones. */
      skip_invalid: z.optional(z.enum(['true', 'false'])),
      /** The name of the file, for the log. */
      name: z.optional(Text(0, 100)),
    }),
    body: upload('text/csv', STOCK_LIMITS.fileBytes),
    response: { 200: StockReport },
    safety: 'reversible',
    provenance: 'ours',
  },
  block: {
    method: 'POST',
    path: '/operator/api/stock/block/',
    summary: 'Lets no account add these trackers; they stay on accounts that have them',
    access: { staff: staffRights.handleStock },
    body: z.object({ identifiers: Items, reason: z.optional(Text(0, TEXT_LENGTH.address)) }),
    response: { 200: Blocked },
    errors: ['not_found'],
    safety: 'reversible',
    provenance: 'ours',
  },
  unblock: {
    method: 'POST',
    path: '/operator/api/stock/unblock/',
    summary: 'Lets accounts add these trackers again',
    access: { staff: staffRights.handleStock },
    body: z.object({ identifiers: Items }),
    response: { 200: Blocked },
    errors: ['not_found'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

import * as z from 'zod/mini'
import { CurrencyCode, Id, IdParams, Instant, listed } from '#contracts/lib/common.ts'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { type Contract, file } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'
import { type Sort, SortOf } from './sorting.ts'

export const CODE_STATES = ['open', 'used', 'expired', 'void'] as const
export type CodeState = (typeof CODE_STATES)[number]

export const CODE_LIMITS = { count: 1000, months: 120, name: 60, codes: 100 } as const

/** A code that links a subscription to a tracker, once. */
export const Code = z.object({
  code: z.string(),
  state: listed(CODE_STATES),
  months: z.nullable(z.int()),
  /** Further months, as of some plans. */
  extra: z.int(),
  batch: z.nullable(Id),
  ends_at: z.nullable(Instant),
  used_at: z.nullable(Instant),
  mailed_to: z.nullable(z.string()),
})
export type Code = z.infer<typeof Code>

/** Codes that were made together. */
export const CodeBatch = z.object({
  id: Id,
  name: z.string(),
  /** The plan that they are worth; null for plain months. */
  plan: z.nullable(z.string()),
  months: z.int(),
  extra: z.int(),
  count: z.int(),
  used: z.int(),
  void: z.int(),
  ends_at: z.nullable(Instant),
  created_at: Instant,
  created_by: z.string(),
})
export type CodeBatch = z.infer<typeof CodeBatch>

/** A plan that codes can be worth. */
export const CodePlan = z.object({ id: z.string(), name: z.string(), currency: CurrencyCode, months: z.int(), extra: z.int() })
export type CodePlan = z.infer<typeof CodePlan>

/** Either a plan of the price list or months. */
const worth = {
  plan: z.optional(z.string().check(z.maxLength(100))),
  months: z.optional(z.int().check(z.minimum(1), z.maximum(CODE_LIMITS.months))),
  /** From this instant on, the codes are refused. */
  ends_at: z.optional(z.nullable(Instant)),
}

export const NewCodes = z.object({
  name: Text(1, CODE_LIMITS.name),
  count: z.int().check(z.minimum(1), z.maximum(CODE_LIMITS.count)),
  ...worth,
})
export const MailedCode = z.object({ email: Email, language: z.optional(z.enum(LANGUAGES)), ...worth })

export const BATCH_SORTS = ['name', 'made', 'months', 'count'] as const
export type BatchSort = Sort<(typeof BATCH_SORTS)[number]>

export const CODE_SORTS = ['code', 'months', 'address'] as const
export type CodeSort = Sort<(typeof CODE_SORTS)[number]>

export const codes = {
  batches: {
    method: 'GET',
    path: '/operator/api/codes/batches/',
    summary: 'A page of the batches of codes, the newest first or by `sort`; `next` is the `before` of the next page',
    access: { staff: staffRights.readStock },
    query: z.object({ sort: SortOf(BATCH_SORTS), before: z.optional(z.string().check(z.regex(/^(?:[\s\S]{0,300}_)?\d{1,15}$/))) }),
    response: { 200: z.object({ batches: z.array(CodeBatch), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  list: {
    method: 'GET',
    path: '/operator/api/codes/',
    summary: 'A page of the codes in their order or by `sort`; `next` is the `after` of the next page',
    access: { staff: staffRights.readStock },
    query: z.object({
      batch: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
      state: z.optional(z.enum(CODE_STATES)),
      /** The beginning of a code. */
      search: z.optional(z.string().check(z.maxLength(40))),
      /** Only codes that were sent by mail, which are in no batch. */
      mailed: z.optional(z.literal('true')),
      sort: SortOf(CODE_SORTS),
      after: z.optional(z.string().check(z.maxLength(400))),
    }),
    response: { 200: z.object({ codes: z.array(Code), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  plans: {
    method: 'GET',
    path: '/operator/api/codes/plans/',
    summary: 'Lists the plans on sale, which codes can be worth',
    access: { staff: staffRights.handleStock },
    response: { 200: z.object({ plans: z.array(CodePlan) }) },
    safety: 'read',
    provenance: 'ours',
  },
  make: {
    method: 'POST',
    path: '/operator/api/codes/',
    summary: 'Makes codes that are worth a plan or months',
    access: { staff: staffRights.handleStock },
    body: NewCodes,
    response: { 200: z.object({ batch: CodeBatch, codes: z.array(z.string()) }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  mail: {
    method: 'POST',
    path: '/operator/api/codes/mail/',
    summary: 'Makes one code and mails it',
    access: { staff: staffRights.handleStock },
    body: MailedCode,
    response: { 200: Code },
    safety: 'destructive',
    provenance: 'ours',
  },
  void: {
    method: 'POST',
    path: '/operator/api/codes/void/',
    summary: 'Makes codes worthless, or those of a batch; used ones stay used. `kept` are the given codes that are used or unknown',
    access: { staff: staffRights.handleStock },
    body: z.object({
      batch: z.optional(Id),
      codes: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.minLength(1), z.maxLength(CODE_LIMITS.codes))),
    }),
    response: { 200: z.object({ voided: z.int(), kept: z.array(z.string()) }) },
    errors: ['not_found'],
    safety: 'destructive',
    provenance: 'ours',
  },
  sheet: {
    method: 'GET',
    path: '/operator/api/codes/batches/:id/sheet/',
    summary: 'A page to print: each code that can still be used, with a QR code of the page that links it',
    access: { staff: staffRights.handleStock },
    params: IdParams,
    query: z.object({ language: z.optional(z.enum(LANGUAGES)) }),
    response: { 200: file('text/html') },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract

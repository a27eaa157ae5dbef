import * as z from 'zod/mini'
import { Id, IdParams, Instant, listed } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, file } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Paragraphs, Text } from '#contracts/rules/reading/text-fields.ts'

export const THEFT_STATUSES = ['open', 'closed'] as const

export const TheftReport = z.object({
  id: Id,
  device: Id,
  date: Instant,
  address: z.string(),
  description: z.string(),
  police_reference: z.nullable(z.string()),
  status: listed(THEFT_STATUSES),
  created_at: Instant,
  closed_at: z.nullable(Instant),
})
export type TheftReport = z.infer<typeof TheftReport>

/** A theft report: when and where the tracker was stolen; the police reference may follow later. */
const NewTheftReport = z.object({
  date: Instant,
  address: Text(1, TEXT_LENGTH.address),
  description: Paragraphs(1, TEXT_LENGTH.description),
  police_reference: z.optional(z.nullable(Text(0, TEXT_LENGTH.policeReference))),
})

export const TheftReportChange = z.extend(z.partial(NewTheftReport), { status: z.optional(z.enum(THEFT_STATUSES)) })
export type TheftReportChange = z.infer<typeof TheftReportChange>

export const theft = {
  read: {
    method: 'GET',
    path: '/devices/:id/theft_report/',
    summary: 'Reads the newest theft report of a tracker, open or closed',
    access: rights.readTrackers,
    showsPositions: true,
    params: IdParams,
    response: { 200: TheftReport },
    errors: ['no_report'],
    safety: 'read',
    provenance: 'assumed',
  },
  open: {
    method: 'POST',
    path: '/devices/:id/theft_report/',
    summary: 'Opens a theft report, one at a time per tracker',
    access: rights.changeTrackers,
    showsPositions: true,
    params: IdParams,
    body: NewTheftReport,
    response: { 201: TheftReport },
    errors: ['theft_open'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  change: {
    method: 'PATCH',
    path: '/devices/:id/theft_report/',
    summary: 'Changes the open theft report, or closes it for good',
    access: rights.changeTrackers,
    showsPositions: true,
    params: IdParams,
    body: TheftReportChange,
    response: { 200: TheftReport },
    errors: ['no_report'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  form: {
    method: 'GET',
    path: '/devices/:id/theft_form/',
    summary: "Downloads the form for the police as PDF, in the user's language",
    access: rights.readTrackers,
    showsPositions: true,
    costly: true,
    params: IdParams,
    response: { 200: file('application/pdf') },
    safety: 'read',
    provenance: 'spec',
  },
} as const satisfies Contract

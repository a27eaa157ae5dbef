import * as z from 'zod/mini'
import { Id } from '#contracts/lib/common.ts'
import { ROLES } from '#contracts/lib/rights.ts'
import type { RequestInput, Route } from '#contracts/lib/route.ts'
import { findFeatureOf, type On404, PARTS } from '#contracts/reader/feature-calls.ts'
import type { Feature } from '#contracts/reader/features.ts'
import { hasFeature, markMissing } from './features.ts'

/**
 * Determines whether a call failed because the backend does not have it. Loaded with the first response that may mean so, so that a
 * complete backend costs nothing.
 */

/** Features that can be read as well as changed. Only a rejected GET means that they are missing; a rejected change may mean read-only. */
export const READABLE = new Set<Feature>([
  'alerts',
  'contacts',
  'places',
  'tags',
  'links',
  'deviceKeys',
  'theftReports',
  'settings',
  'team',
  'invoices',
  'paymentMethods',
])

export type Refusal = {
  status: number
  /** Reads the body, or else the status. */
  code: string
  /** The body is HTML. */
  isPage: boolean
}

type Ask = (route: Route, request: RequestInput) => Promise<unknown>

/** Remembers a feature as missing if the response to one of its calls shows that. `ask` sends another call. */
export async function noteMissing(route: Route, request: RequestInput, refusal: Refusal, ask: Ask): Promise<void> {
  const [feature, , on404] = findFeatureOf(route) ?? []
  if (!feature || !hasFeature(feature) || !(await isMissing(feature, route, request, refusal, on404, ask))) return
  const part = PARTS[feature]
  if (part) markMissing(part)
  markMissing(feature)
}

async function isMissing(
  feature: Feature,
  { method, path, errors }: Route,
  { params }: RequestInput,
  { status, code, isPage }: Refusal,
  on404: On404 | undefined,
  ask: Ask,
): Promise<boolean> {
  if (status === 405 || status === 501) return method === 'GET' || !READABLE.has(feature)
  if (status !== 404) return status === 200 && isPage
  // Only an existing call responds with this code.
  if (errors?.some((own) => own === code)) return false
  if (on404 === 'tracker') return isListed(params?.id, ask)
  return on404 === 'page' ? isPage : !path.includes(':')
}

/** The list of trackers by their ids only, because the whole contract of trackers would split a chunk that the map loads. */
const LIST: Route = {
  method: 'GET',
  path: '/devices/',
  summary: '',
  access: ROLES,
  response: { 200: z.array(z.object({ id: Id })) },
  safety: 'read',
  provenance: 'spec',
}

/** Whether the account has the tracker now: one just removed elsewhere also causes a 404. */
async function isListed(id: unknown, ask: Ask): Promise<boolean> {
  const listed = (await ask(LIST, { query: { type: 'tracker' } })) as readonly { id: unknown }[]
  return listed.some((device) => String(device.id) === String(id))
}

import * as z from 'zod/mini'
import { Id, Instant, listed } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { STAFF_ROLES } from '#contracts/lib/staff-rights.ts'
import { DEED_KINDS, Deed } from '#contracts/operator/deeds.ts'
import { Timeout } from './requests.ts'

/** A member of the company's staff, who signs in to the operator's console. */
export const StaffPersona = z.object({
  key: z.string(),
  name: z.string(),
  email: z.string(),
  password: z.string(),
  role: listed(STAFF_ROLES),
})

/** Staff of the request's world. */
export const staff = {
  list: {
    method: 'GET',
    path: '/mock/staff',
    summary: "Lists the company's staff, who are the same in every world, unless they were removed",
    access: 'public',
    response: { 200: z.array(StaffPersona) },
    safety: 'read',
    provenance: 'assumed',
  },
  login: {
    method: 'POST',
    path: '/mock/staff/login',
    summary:
      "Signs a member of staff in to the operator's console without the form: sets the cookie, and returns it with the token that changes need in the header `X-CSRFToken`",
    access: 'public',
    body: z.strictObject({ member: z.string() }),
    response: {
      200: z.object({ cookie: z.object({ name: z.string(), value: z.string() }), csrf_token: z.string(), url: z.string() }),
    },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

/** What staff of the request's world have done. */
export const deeds = {
  list: {
    method: 'GET',
    path: '/mock/deeds',
    summary: 'Lists what staff have done, newest first',
    access: 'public',
    response: { 200: z.array(Deed) },
    safety: 'read',
    provenance: 'assumed',
  },
  wait: {
    method: 'POST',
    path: '/mock/deeds/wait',
    summary: 'Waits until staff have done something and returns the newest deed; `after` skips older ones',
    access: 'public',
    body: z.strictObject({
      kind: z.optional(z.enum(DEED_KINDS)),
      subject: z.optional(z.string()),
      after: z.optional(Id),
      timeout_ms: Timeout,
    }),
    response: { 200: Deed },
    errors: ['nothing_came'],
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract

/** The app for one-time codes of the world's users and staff. */
export const secondFactor = {
  code: {
    method: 'GET',
    path: '/mock/second_factor/:email',
    summary: 'Returns a code with which the user or member of staff can sign in now; while time stands still, two codes are at hand',
    access: 'public',
    params: z.object({ email: z.string() }),
    response: {
      200: z.object({
        code: z.string(),
        /** When the code's half minute ends. */
        valid_until: Instant,
        /** Every code of this half minute was used: advance the clock. */
        is_used: z.boolean(),
      }),
    },
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract

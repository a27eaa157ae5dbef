import * as z from 'zod/mini'
import { Instant } from '#contracts/common.ts'
import type { Contract } from '#contracts/lib/route.ts'

export const ClockState = z.object({ now: Instant, mode: z.enum(['frozen', 'flow']), rate: z.number() })

export const ClockSetting = z.object({
  at: z.optional(Instant),
  mode: z.optional(z.enum(['frozen', 'flow'])),
  rate: z.optional(z.number().check(z.positive(), z.maximum(10_000))),
})

/** A job that ran or an alert that fired; `ref` names what it was about, such as `devices/7`. */
const Fired = z.object({ at: Instant, kind: z.string(), ref: z.string() })

/** The time of the world of the request. */
export const clock = {
  read: {
    method: 'GET',
    path: '/mock/clock',
    summary: 'Tells the time of the world',
    access: 'public',
    response: { 200: ClockState },
    safety: 'read',
    provenance: 'assumed',
  },
  set: {
    method: 'POST',
    path: '/mock/clock',
    summary: 'Sets, freezes or speeds up the clock of the world',
    access: 'public',
    body: ClockSetting,
    response: { 200: ClockState },
    safety: 'reversible',
    provenance: 'assumed',
  },
  advance: {
    method: 'POST',
    path: '/mock/clock/advance',
    summary: 'Moves the clock forward by an ISO 8601 duration such as `PT5M` or `P3D`, and runs what falls due in order of time',
    access: 'public',
    body: z.object({ by: z.string().check(z.regex(/^P(?=\d|T\d)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/)) }),
    response: { 200: z.object({ from: Instant, to: Instant, positions: z.int(), fired: z.array(Fired) }) },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

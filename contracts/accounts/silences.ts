import * as z from 'zod/mini'
import { Id, IdParams, Instant, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { FIRING_KINDS } from '#contracts/rules/tracking/rules/firing-kinds.ts'

/** Running silences of an account and of each user, trackers of one of them, and how long it may last. */
export const SILENCES = { running: 50, devices: 200, days: 366 } as const

/**
 * Alerts that are muted until an instant. Each condition that is set has to match: the trackers, the place, the kinds. Urgent alerts come
 * all the same, unless the silence names their kind.
 */
export const AlertSilence = z.object({
  id: Id,
  /** The trackers that the viewer may see; empty for all trackers. */
  devices: z.array(Id),
  place: z.nullable(Id),
  /** Empty for all kinds. */
  kinds: z.array(openEnum(FIRING_KINDS)),
  created_at: Instant,
  until: Instant,
  note: z.nullable(z.string()),
  /** Silences the contacts and all users of the account; otherwise only the user who made it. */
  everyone: z.boolean(),
})
export type AlertSilence = z.infer<typeof AlertSilence>

export const NewSilence = z
  .object({
    /** Omitted or empty for all trackers. */
    devices: z._default(z.array(Id).check(z.maxLength(SILENCES.devices)), []),
    place: z.optional(z.nullable(Id)),
    /** Omitted or empty for all kinds. */
    kinds: z._default(z.array(z.enum(FIRING_KINDS)).check(z.maxLength(FIRING_KINDS.length)), []),
    until: z.optional(Instant),
    hours: z.optional(z.int().check(z.minimum(1), z.maximum(SILENCES.days * 24))),
    note: z.optional(z.nullable(Text(0, TEXT_LENGTH.silenceNote))),
    everyone: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ until, hours }) => (until === undefined) !== (hours === undefined), { path: ['until'], error: 'Either until or hours' }),
  )
export type NewSilence = z.input<typeof NewSilence>

/** Alerts that are muted for a while. */
export const silences = {
  list: {
    method: 'GET',
    path: '/alert_silences/',
    summary: 'Lists the running silences of the account and of the user, the first to end first',
    access: rights.readPlaces,
    scope: 'alerts:read',
    response: { 200: z.array(AlertSilence) },
    safety: 'read',
    provenance: 'ours',
  },
  create: {
    method: 'POST',
    path: '/alert_silences/',
    summary: `Silences alerts for at most a year: of the user or, with \`everyone\`, of the account; at most ${SILENCES.running} running ones of each`,
    access: rights.changePlaces,
    scope: 'alerts:write',
    body: NewSilence,
    response: { 201: AlertSilence },
    errors: ['limit_reached'],
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/alert_silences/:id/',
    summary: "Ends a silence; for a team member one of the account ends only for the trackers of the team's list",
    access: rights.changePlaces,
    scope: 'alerts:write',
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

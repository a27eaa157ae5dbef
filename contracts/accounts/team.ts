import * as z from 'zod/mini'
import { Id, IdParams, listed, openEnum } from '#contracts/lib/common.ts'
import { ROLES, rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEAM_DEVICES_MAX } from '#contracts/limits/account-limits.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import { Language, PersonName } from './users.ts'

export const TeamUser = z.object({
  id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: openEnum(ROLES),
  /** The trackers the user sees; the administrator sees all of the account. */
  devices: z.array(Id),
  /** Invited until a password is set. */
  status: listed(['invited', 'active']),
})
export type TeamUser = z.infer<typeof TeamUser>

const Devices = z.array(Id).check(z.maxLength(TEAM_DEVICES_MAX))

/** The invitation is in `language`, by default in the administrator's. */
export const NewTeamUser = z.object({
  email: Email,
  first_name: PersonName,
  last_name: PersonName,
  devices: z._default(Devices, []),
  language: z.optional(Language),
})

/** Public links and keys of phones and networks that a user of the team made, and contacts with their e-mail address: all work without a session. */
export const Made = z.object({
  links: z.array(z.object({ uuid: z.uuid(), label: z.string(), devices: z.array(z.object({ id: Id, name: z.string() })) })),
  keys: z.array(z.object({ id: Id, label: z.string(), device: z.object({ id: Id, name: z.string() }) })),
  contacts: z.array(z.object({ id: Id, name: z.string() })),
  /** Keys of networks, which a member may have from a time as administrator. */
  network_keys: z._default(z.array(z.object({ id: Id, label: z.string() })), []),
})
export type Made = z.infer<typeof Made>

/** Whether the links, keys and contacts that the user made for trackers they no longer see are removed (the default) or stay. */
const MadeQuery = z.object({ made: z.optional(z.enum(['end', 'keep'])) })

const TeamUserChange = z.partial(z.object({ first_name: PersonName, last_name: PersonName, devices: Devices }))

/** Users who work with the trackers of a pro account. */
export const team = {
  list: {
    method: 'GET',
    path: '/users/team/',
    summary: 'Lists the users of the pro account by name, including the administrator',
    access: rights.manageTeam,
    response: { 200: z.array(TeamUser) },
    safety: 'read',
    provenance: 'assumed',
  },
  invite: {
    method: 'POST',
    path: '/users/team/',
    summary: 'Adds a user to the team and mails them a link that sets their first password',
    access: rights.manageTeam,
    recentSignIn: 'always',
    body: NewTeamUser,
    response: { 201: TeamUser },
    errors: ['email_exists'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  change: {
    method: 'PATCH',
    path: '/users/team/:id/',
    summary:
      'Changes the name of a user of the team, or the trackers they see; links and keys that the user made for the others end, unless `made=keep`',
    access: rights.manageTeam,
    recentSignIn: 'always',
    params: IdParams,
    query: MadeQuery,
    body: TeamUserChange,
    response: { 200: TeamUser },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/users/team/:id/',
    summary: 'Removes a user from the team, with their sessions, and with the links and keys that they made, unless `made=keep`',
    access: rights.manageTeam,
    recentSignIn: 'always',
    params: IdParams,
    query: MadeQuery,
    response: { 200: z.object({ id: Id }) },
    errors: ['own_account'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  made: {
    method: 'GET',
    path: '/users/team/:id/made/',
    summary:
      'Lists what ends when a user of the team is removed: the public links and keys that they made, and contacts with their address',
    access: rights.manageTeam,
    params: IdParams,
    response: { 200: Made },
    safety: 'read',
    provenance: 'ours',
  },
  resendInvitation: {
    method: 'POST',
    path: '/users/team/:id/resend_invitation/',
    summary: 'Mails a new link to a user who has not set a password yet; the earlier link stops working',
    access: rights.manageTeam,
    recentSignIn: 'always',
    params: IdParams,
    body: z.object({}),
    response: { 200: z.object({ sent: z.boolean() }) },
    errors: ['already_active'],
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

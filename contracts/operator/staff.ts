import * as z from 'zod/mini'
import { Password } from '#contracts/accounts/users.ts'
import { Id, IdParams, Instant, listed } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { STAFF_ROLES, staffRights } from '#contracts/lib/staff-rights.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { normalizeKey } from '#contracts/rules/reading/text.ts'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'

/** Where an invited member of staff sets name, password and second factor. */
export const STAFF_INVITATION_PATH = '/operator/invitation'
export const STAFF_INVITATION_DAYS = 7

const Role = listed(STAFF_ROLES)
const GivenRole = z.enum(STAFF_ROLES)
const Name = Text(1, 2 * TEXT_LENGTH.personName)
/** A code of six digits of the authenticator app, or a recovery code. */
const Code = z.string().check(z.minLength(1), z.maxLength(60))
const InvitationKey = z.string().check(z.overwrite(normalizeKey), z.minLength(1), z.maxLength(100))

export const StaffMember = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  role: Role,
  /** `invited` until the invitation is accepted. */
  state: listed(['invited', 'active']),
  created_at: Instant,
  last_seen_at: z.nullable(Instant),
})
export type StaffMember = z.infer<typeof StaffMember>

/** The signed-in member, with the token for the header `X-CSRFToken` of calls that change something. */
export const StaffSession = z.object({
  staff: z.object({ id: Id, email: z.string(), name: z.string(), role: Role }),
  csrf_token: z.string(),
  /** When the session ends at the latest. */
  expires_at: Instant,
})
export type StaffSession = z.infer<typeof StaffSession>

export const staffSession = {
  signIn: {
    method: 'POST',
    path: '/operator/api/session/',
    summary: 'Signs a member of staff in with e-mail, password and second factor; the session is a cookie',
    access: 'public',
    body: z.object({ email: Email, password: z.string().check(z.minLength(1), z.maxLength(1000)), code: Code }),
    response: { 200: StaffSession },
    errors: ['invalid_credentials'],
    safety: 'reversible',
    provenance: 'ours',
  },
  get: {
    method: 'GET',
    path: '/operator/api/session/',
    summary: 'Returns the signed-in member of staff',
    access: { staff: staffRights.work },
    response: { 200: StaffSession },
    safety: 'read',
    provenance: 'ours',
  },
  end: {
    method: 'POST',
    path: '/operator/api/session/end/',
    summary: 'Signs the member of staff out',
    access: { staff: staffRights.work },
    response: { 204: z.void() },
    safety: 'read',
    provenance: 'ours',
  },
  openInvitation: {
    method: 'POST',
    path: '/operator/api/invitation/',
    summary: 'Returns whom an invitation is for, and a new secret for the authenticator app',
    access: 'public',
    body: z.object({ key: InvitationKey }),
    response: { 200: z.object({ email: z.string(), name: z.string(), role: Role, secret: z.string(), uri: z.string() }) },
    errors: ['expired'],
    safety: 'reversible',
    provenance: 'ours',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/operator/api/invitation/accept/',
    summary: 'Sets name, password and second factor of an invited member of staff, and signs them in',
    access: 'public',
    body: z.object({ key: InvitationKey, name: Name, password: Password, code: Code }),
    response: { 200: z.object({ session: StaffSession, recovery_codes: z.array(z.string()) }) },
    errors: ['expired', 'invalid_code'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

export const staff = {
  list: {
    method: 'GET',
    path: '/operator/api/staff/',
    summary: 'Lists the members of staff by name',
    access: { staff: staffRights.manageStaff },
    response: { 200: z.array(StaffMember) },
    safety: 'read',
    provenance: 'ours',
  },
  add: {
    method: 'POST',
    path: '/operator/api/staff/',
    summary: 'Adds a member of staff and mails the invitation; adding an invited one again mails a new link',
    access: { staff: staffRights.manageStaff },
    body: z.object({ email: Email, name: z.optional(Name), role: GivenRole }),
    response: { 200: z.object({ member: StaffMember, invitation: z.url() }) },
    errors: ['email_exists'],
    safety: 'reversible',
    provenance: 'ours',
  },
  change: {
    method: 'PATCH',
    path: '/operator/api/staff/:id/',
    summary: 'Changes the role of a member of staff and ends their sessions',
    access: { staff: staffRights.manageStaff },
    params: IdParams,
    body: z.object({ role: GivenRole }),
    response: { 200: StaffMember },
    errors: ['last_administrator'],
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/operator/api/staff/:id/',
    summary: 'Removes a member of staff and ends their sessions; the log keeps the name',
    access: { staff: staffRights.manageStaff },
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    errors: ['last_administrator'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

export const StaffKey = z.object({
  id: Id,
  label: z.string(),
  role: Role,
  created_at: Instant,
  last_used_at: z.nullable(Instant),
})
export type StaffKey = z.infer<typeof StaffKey>

/** Keys for other systems of the company, such as its shop: `Authorization: Bearer …`. */
export const staffKeys = {
  list: {
    method: 'GET',
    path: '/operator/api/keys/',
    summary: 'Lists the keys for other systems, the newest first',
    access: { staff: staffRights.manageStaff },
    response: { 200: z.array(StaffKey) },
    safety: 'read',
    provenance: 'ours',
  },
  add: {
    method: 'POST',
    path: '/operator/api/keys/',
    summary: 'Makes a key with the rights of a role; it is shown once',
    access: { staff: staffRights.manageStaff },
    body: z.object({ label: Text(1, TEXT_LENGTH.keyLabel), role: GivenRole }),
    response: { 200: z.object({ entry: StaffKey, key: z.string() }) },
    safety: 'reversible',
    provenance: 'ours',
  },
  end: {
    method: 'DELETE',
    path: '/operator/api/keys/:id/',
    summary: 'Ends a key at once',
    access: { staff: staffRights.manageStaff },
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

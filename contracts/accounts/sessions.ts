import * as z from 'zod/mini'
import { openEnum } from '#contracts/lib/common.ts'
import { ROLES, rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { normalizeLogin } from '#contracts/rules/reading/text.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import { GivenPassword, MailKey, Password, User } from './users.ts'

/** How many sessions were ended. Lies outside security.ts, which the first page does not load. */
export const Ended = z.object({ ended: z.int() })

export const sessions = {
  signIn: {
    method: 'POST',
    path: '/api/v1/auth/web_get_token/',
    summary: 'Returns a session token for a user name or e-mail and a password',
    access: 'public',
    body: z.object({
      username: z.string().check(z.overwrite(normalizeLogin), z.minLength(1), z.maxLength(254)),
      password: GivenPassword,
    }),
    response: { 200: z.object({ user: User, token: z.string() }) },
    errors: ['invalid_credentials', 'second_factor'],
    safety: 'reversible',
    provenance: 'spec',
  },
  signOut: {
    method: 'DELETE',
    path: '/api/v1/auth/web_get_token/',
    summary: 'Ends the session: its token, its cookies and its live streams',
    access: rights.ownProfile,
    response: { 200: Ended },
    safety: 'destructive',
    provenance: 'ours',
  },
  who: {
    method: 'GET',
    path: '/api-auth/session/login/',
    summary: 'Returns the user name of the session',
    access: rights.ownProfile,
    response: { 200: z.object({ username: z.string() }) },
    safety: 'read',
    provenance: 'spec',
  },
  options: {
    method: 'GET',
    path: '/options/',
    summary: 'Returns the role of the user and whether the e-mail is confirmed',
    access: rights.ownProfile,
    response: {
      200: z.object({
        email_confirmed: z.boolean(),
        role: openEnum(ROLES),
        /** How many fired alerts the user has not seen, 100 meaning that or more; absent without any. */
        unread_alerts: z.optional(z.int()),
      }),
    },
    safety: 'read',
    provenance: 'spec',
  },
  requestReset: {
    method: 'POST',
    path: '/users/password_reset/',
    summary: 'Mails a link that sets a new password; the response is the same whether or not the address is known',
    access: 'public',
    body: z.object({ email: Email }),
    response: { 200: z.object({ sent: z.boolean() }) },
    safety: 'reversible',
    provenance: 'assumed',
  },
  reset: {
    method: 'POST',
    path: '/users/password_reset/confirm/',
    summary: 'Sets a new password with the key of the e-mail, and ends all sessions and API tokens',
    access: 'public',
    body: z.object({ key: MailKey, new_password: Password }),
    response: { 200: z.object({ status: z.literal('changed') }) },
    errors: ['expired', 'invalid_key'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  changePassword: {
    method: 'POST',
    path: '/users/change_password/',
    summary: 'Sets a new password, ends all sessions and API tokens, and returns the token of a new session, which is as old as this one',
    access: rights.ownProfile,
    recentSignIn: 'with_factor',
    body: z.object({ old_password: GivenPassword, new_password: Password }),
    response: { 200: z.object({ token: z.string() }) },
    errors: ['invalid_password'],
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract

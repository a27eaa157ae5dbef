import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import { GivenPassword, MailKey } from './users.ts'

const Sent = z.object({ sent: z.boolean() })

/** An account's e-mail counts as confirmed once its owner has followed the mailed link. */
export const confirmations = {
  confirm: {
    method: 'POST',
    path: '/users/confirm_email/',
    summary: 'Confirms the e-mail of an account with the key of the link; reports when it is confirmed already',
    access: 'public',
    body: z.object({ key: MailKey }),
    response: { 200: z.object({ status: z.enum(['confirmed', 'already_confirmed']) }) },
    errors: ['expired', 'invalid_key'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  resend: {
    method: 'POST',
    path: '/users/confirm_email/resend/',
    summary: 'Mails a new link in place of an earlier one, unless the e-mail is already confirmed',
    access: 'public',
    body: z.object({ key: MailKey }),
    response: { 200: Sent },
    errors: ['invalid_key'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  change: {
    method: 'POST',
    path: '/users/change_email/',
    summary: 'Mails a link to a new address and a notice to the current one; nothing changes before the link is followed',
    access: rights.ownProfile,
    recentSignIn: 'with_factor',
    body: z.object({ email: Email, password: GivenPassword }),
    response: { 200: Sent },
    errors: ['invalid_password', 'email_exists'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  confirmChange: {
    method: 'POST',
    path: '/users/change_email/confirm/',
    summary: 'Changes the account to the new, confirmed address with the key of the link',
    access: 'public',
    body: z.object({ key: MailKey }),
    response: { 200: z.object({ status: z.literal('confirmed'), email: z.string() }) },
    errors: ['expired', 'invalid_key', 'email_exists'],
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract

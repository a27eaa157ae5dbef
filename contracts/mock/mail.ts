import * as z from 'zod/mini'
import { Id, IdParams, Instant } from '#contracts/lib/common.ts'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { type Contract, file } from '#contracts/lib/route.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { choice } from './choices.ts'
import { Timeout } from './requests.ts'

export const MailHead = z.object({
  id: Id,
  to: z.string(),
  template: z.string(),
  language: z.string(),
  subject: z.string(),
  created_at: Instant,
  sent_at: z.nullable(Instant),
  /** Addresses that reject mail permanently. */
  bounced: z.boolean(),
})

export const Message = z.extend(MailHead, {
  text: z.string(),
  html: z.string(),
  links: z.array(z.string()),
  codes: z.array(z.string()),
  data: z.record(z.string(), z.string()),
})

export const MAIL_TEMPLATES = [
  'confirm_email',
  'password_reset',
  'password_changed',
  'change_email',
  'change_notice',
  'new_sign_in',
  'data_ready',
  'invitation',
  'staff_invitation',
  'place_alert',
  'vehicle_alert',
  'rule_alert',
  'allow_alerts',
  'ask_alerts',
  'low_battery',
  'held_alerts',
  'subscription_ended',
  'payment_failed',
  'receipt',
  'refunded',
  'withdrawal',
  'order_shipped',
  'care_claim',
  'subscription_reminder',
  'network_lost',
  'tracker_removed',
  'unlink_accepted',
  'unlink_refused',
  'months_given',
  'price_change',
  'price_stays',
  'plan_moved',
  'plan_move_refused',
  'plan_paused',
  'plan_resumed',
  'plan_pause_refused',
  'channel_stopped',
  'channel_limit',
  'announcement',
  'subscription_code',
] as const

const read = { method: 'GET', access: 'public', safety: 'read', provenance: 'assumed' } as const

/** The mailbox of the mock server: the mails sent by the request's world. */
export const mail = {
  list: {
    method: 'GET',
    path: '/mock/mail',
    summary: 'Lists the e-mails of the world, newest first; the address must match exactly',
    access: 'public',
    query: z.object({ to: z.optional(z.string().check(z.overwrite(normalizeAddress))), template: z.optional(choice(MAIL_TEMPLATES)) }),
    response: { 200: z.array(MailHead) },
    safety: 'read',
    provenance: 'assumed',
  },
  read: {
    method: 'GET',
    path: '/mock/mail/:id',
    summary: 'Reads an e-mail: subject, text, HTML, its links and codes, and the data of its template',
    access: 'public',
    params: IdParams,
    response: { 200: Message },
    safety: 'read',
    provenance: 'assumed',
  },
  html: {
    ...read,
    path: '/mock/mail/:id/html',
    summary: 'Returns the HTML of an e-mail',
    params: IdParams,
    response: { 200: file('text/html') },
  },
  text: {
    ...read,
    path: '/mock/mail/:id/text',
    summary: 'Returns the plain text of an e-mail',
    params: IdParams,
    response: { 200: file('text/plain') },
  },
  eml: {
    ...read,
    path: '/mock/mail/:id/eml',
    summary: 'Returns an e-mail as sent, for any mail program',
    params: IdParams,
    response: { 200: file('message/rfc822') },
  },
  preview: {
    ...read,
    path: '/mock/mail/preview/:template',
    summary: 'Returns the HTML of a template with sample data, in any language of the portal',
    params: z.object({ template: choice(MAIL_TEMPLATES) }),
    query: z.object({ locale: z._default(z.enum(LANGUAGES), 'en') }),
    response: { 200: file('text/html') },
  },
  wait: {
    method: 'POST',
    path: '/mock/mail/wait',
    summary: 'Waits for an e-mail to an address and returns the newest, with its links and codes; `after` skips older ones',
    access: 'public',
    body: z.strictObject({
      to: z.string(),
      template: z.optional(choice(MAIL_TEMPLATES)),
      after: z.optional(Id),
      timeout_ms: Timeout,
    }),
    response: { 200: z.object({ message: Message, links: z.array(z.string()), codes: z.array(z.string()) }) },
    errors: ['nothing_came'],
    safety: 'read',
    provenance: 'assumed',
  },
  bounce: {
    method: 'POST',
    path: '/mock/mail/:id/bounce',
    summary: 'Makes an e-mail bounce permanently: it is not sent again, and its link is deleted',
    access: 'public',
    params: IdParams,
    response: { 200: Message },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

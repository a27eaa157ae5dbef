import * as z from 'zod/mini'
import { Id, IdParams, Instant } from '#contracts/common.ts'
import type { Contract } from '#contracts/lib/route.ts'

const MailHead = z.object({
  id: Id,
  to: z.string(),
  template: z.string(),
  language: z.string(),
  subject: z.string(),
  created_at: Instant,
  sent_at: z.nullable(Instant),
})

/** The mailbox of the mock server: what the world of the request has written. */
export const mail = {
  list: {
    method: 'GET',
    path: '/mock/mail',
    summary: 'Lists the e-mails of the world, newest first; the address must match exactly',
    access: 'public',
    query: z.object({ to: z.optional(z.string()), template: z.optional(z.string()) }),
    response: { 200: z.array(MailHead) },
    safety: 'read',
    provenance: 'assumed',
  },
  read: {
    method: 'GET',
    path: '/mock/mail/:id',
    summary: 'Reads an e-mail: subject, text, HTML, the links and codes in it and the data it was made of',
    access: 'public',
    params: IdParams,
    response: {
      200: z.extend(MailHead, {
        text: z.string(),
        html: z.string(),
        links: z.array(z.string()),
        codes: z.array(z.string()),
        data: z.record(z.string(), z.string()),
      }),
    },
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract

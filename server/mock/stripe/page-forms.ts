import type { FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '#server/ports/world.ts'
import type { StripeFake } from './fake.ts'
import { policy } from './markup.ts'
import { readExpiry } from './payment-method.ts'

export type Named = { Params: { id: string } }
export type Typed = Named & { Body: { number?: unknown; expiry?: unknown } | undefined }
export type Answered = Named & { Body: { answer?: unknown } | undefined }

export type StripeOf = (world: World) => StripeFake
export type TellAll = (world: World) => Promise<void>

export const numberOf = ({ body }: FastifyRequest<Typed>) => String(body?.number ?? '')

/** The typed expiry date. Text that is not a date counts as expired. */
export const expiryOf = ({ body }: FastifyRequest<Typed>) =>
  body?.expiry === undefined ? undefined : (readExpiry(String(body.expiry)) ?? PASSED)
const PASSED = { month: 1, year: 2000 }

export const isYes = ({ body }: FastifyRequest<Answered>) => body?.answer === 'yes'

export const show = (reply: FastifyReply, html: string, next?: string | null) =>
  reply
    .headers({ 'content-security-policy': policy(next), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)

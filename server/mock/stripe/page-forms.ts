import type { FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '#server/ports/world.ts'
import type { StripeFake } from './fake.ts'
import { contentSecurityPolicy } from './markup.ts'
import { parseExpiry } from './payment-method.ts'

export type PageRoute = { Params: { id: string } }
export type CardFormRoute = PageRoute & { Body: { number?: unknown; expiry?: unknown } | undefined }
export type ConfirmationRoute = PageRoute & { Body: { answer?: unknown } | undefined }

export type GetStripe = (world: World) => StripeFake
export type DeliverEvents = (world: World) => Promise<void>

export const cardNumber = ({ body }: FastifyRequest<CardFormRoute>) => String(body?.number ?? '')

/** The typed expiry date. Text that is not a date counts as expired. */
export const cardExpiry = ({ body }: FastifyRequest<CardFormRoute>) =>
  body?.expiry === undefined ? undefined : (parseExpiry(String(body.expiry)) ?? PAST_EXPIRY)
const PAST_EXPIRY = { month: 1, year: 2000 }

export const isConfirmed = ({ body }: FastifyRequest<ConfirmationRoute>) => body?.answer === 'yes'

export const sendPage = (reply: FastifyReply, html: string, next?: string | null) =>
  reply
    .headers({ 'content-security-policy': contentSecurityPolicy(next), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)

import type { FastifyReply, FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '#contracts/constants.ts'
import { pickLanguage } from '#contracts/rules/language.ts'

const PAGE_POLICY = "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Answers a page that loads and runs nothing but what its policy lets it; nobody keeps it. */
export const show = (reply: FastifyReply, html: string, policy = PAGE_POLICY) =>
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send(html)

/** The language of the browser. */
export const languageOf = ({ headers }: FastifyRequest): Language =>
  pickLanguage((headers['accept-language'] ?? LANGUAGES[0]).split(',').map((part) => part.trim()))

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameSecret, sha256 } from '#server/lib/secrets.ts'
import { languageOf, show } from '#server/mock/lib/page.ts'
import { signInPage } from './sign-in-page.ts'

const COOKIE = '__control'
const SIGN_IN_LIMIT = { rateLimit: { max: 10, timeWindow: '1 minute' } }

type SignInForm = { Body: { token?: string } | undefined }

/** Browsers cannot send the token as a header when opening a page, so a form exchanges it for a cookie that is valid under /mock. */
export function signIn(app: FastifyInstance, token: string) {
  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    pages.post<SignInForm>('/mock/sign_in', { config: SIGN_IN_LIMIT }, async (request, reply) => {
      if (!isSameSecret(request.body?.token?.trim() ?? '', token)) return show(reply.code(403), signInPage(languageOf(request), true))
      const cookie = { path: '/mock', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' } as const
      return reply.setCookie(COOKIE, cookieValue(token), cookie).redirect('/mock/mailbox', 303)
    })
  })
}

/** Whether the request carries the cookie; requests from other sites never count. */
export const isSignedIn = ({ cookies, headers }: FastifyRequest, token: string) =>
  ['none', 'same-origin'].includes(String(headers['sec-fetch-site'] ?? 'none')) && isSameSecret(cookies[COOKIE] ?? '', cookieValue(token))

/** Whether a person opens the mailbox in a browser, so that the sign-in page is the right response. */
export const isVisit = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && url.startsWith('/mock/mailbox') && (headers.accept ?? '').includes('text/html')

/** A hash, so that the cookie does not reveal the token. */
const cookieValue = (token: string) => sha256(`control ${token}`)

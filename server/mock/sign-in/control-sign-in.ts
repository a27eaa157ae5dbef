import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '#contracts/lib/languages.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { isSameSecret, sha256 } from '#server/lib/secrets.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import { preferredLanguage, renderHtmlPage, sendPage } from '#server/mock/lib/html-page.ts'

/** Renders the form that asks for the control token; `isWrong` after a wrong token. */
export function renderSignInPage(language: Language, isWrong = false) {
  const say = createTranslate(language)
  const wrong = isWrong ? `<p id="wrong" class="wrong" role="alert">${escapeHtml(say('mailbox.wrong'))}</p>` : ''
  return renderHtmlPage({
    lang: language,
    title: say('mailbox.title'),
    style: '/mock/mailbox/style.css',
    look: 'gate',
    body: `<main>
<header><h1>${escapeHtml(say('mailbox.title'))}</h1><p>${escapeHtml(say('mailbox.locked'))}</p></header>
<form method="post" action="/mock/sign_in"><label>${escapeHtml(say('mailbox.token'))}<input name="token" type="password" required autocomplete="current-password"${isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}></label><button>${escapeHtml(say('mailbox.open'))}</button></form>
${wrong}
</main>`,
  })
}

const COOKIE = '__control'
const SIGN_IN_LIMIT = { rateLimit: { max: 10, timeWindow: '1 minute' } }

type SignInForm = { Body: { token?: string } | undefined }

/** Browsers cannot send the token as a header when opening a page, so a form exchanges it for a cookie that is valid under /mock. */
export function addSignInRoutes(app: FastifyInstance, token: string) {
  app.register(async (pages) => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    pages.post<SignInForm>('/mock/sign_in', { config: SIGN_IN_LIMIT }, async (request, reply) => {
      if (!isSameSecret(request.body?.token?.trim() ?? '', token))
        return sendPage(reply.code(403), renderSignInPage(preferredLanguage(request), true))
      const cookie = { path: '/mock', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' } as const
      return reply.setCookie(COOKIE, cookieValue(token), cookie).redirect('/mock/mailbox', 303)
    })
  })
}

/** Whether the request carries the cookie; requests from other sites never count. */
export const isSignedIn = ({ cookies, headers }: FastifyRequest, token: string) =>
  ['none', 'same-origin'].includes(String(headers['sec-fetch-site'] ?? 'none')) && isSameSecret(cookies[COOKIE] ?? '', cookieValue(token))

/** Whether a person opens the mailbox in a browser, so that the sign-in page is the right response. */
export const isMailboxVisit = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && url.startsWith('/mock/mailbox') && (headers.accept ?? '').includes('text/html')

/** A hash, so that the cookie does not reveal the token. */
const cookieValue = (token: string) => sha256(`control ${token}`)

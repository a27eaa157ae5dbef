import type { Language } from '#contracts/lib/constants.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { createTranslate } from '#server/mail/mail-words.ts'
import { pageOf } from '#server/mock/lib/page.ts'

/** Renders the form that asks for the control token; `isWrong` after a wrong token. */
export function signInPage(language: Language, isWrong = false) {
  const say = createTranslate(language)
  const wrong = isWrong ? `<p id="wrong" class="wrong" role="alert">${escapeHtml(say('mailbox.wrong'))}</p>` : ''
  return pageOf({
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

import type { Language } from '#contracts/constants.ts'
import { speak } from '#server/lib/mail-words.ts'
import { escapeHtml } from '#server/mock/stripe/markup.ts'

/** Asks for the control token; `isWrong` after one that was not it. */
export function signInPage(language: Language, isWrong = false) {
  const say = speak(language)
  const wrong = isWrong ? `<p id="wrong" class="wrong" role="alert">${escapeHtml(say('mailbox.wrong'))}</p>` : ''
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(say('mailbox.title'))}</title>
<link rel="stylesheet" href="/mock/mailbox/style.css">
</head>
<body class="gate">
<main>
<header><h1>${escapeHtml(say('mailbox.title'))}</h1><p>${escapeHtml(say('mailbox.locked'))}</p></header>
<form method="post" action="/mock/sign_in"><label>${escapeHtml(say('mailbox.token'))}<input name="token" type="password" required autocomplete="current-password"${isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}></label><button>${escapeHtml(say('mailbox.open'))}</button></form>
${wrong}
</main>
</body>
</html>
`
}

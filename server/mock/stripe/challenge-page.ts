import { escapeHtml } from '#server/lib/escape-html.ts'
import { renderPage } from './markup.ts'
import type { Words } from './words.ts'

/** The bank's confirmation page (3-D Secure). */
export const renderChallengePage = (words: Words, lang: string) =>
  renderPage({
    lang,
    title: words.challenge.title,
    banner: words.banner,
    main: `<p>${escapeHtml(words.challenge.text)}</p>
<form method="post">
<button type="submit" name="answer" value="yes">${escapeHtml(words.challenge.confirm)}</button>
<button type="submit" name="answer" value="no" class="quiet">${escapeHtml(words.challenge.refuse)}</button>
</form>`,
  })

import { escapeHtml } from '#server/lib/escape-html.ts'
import { page } from './markup.ts'
import type { Words } from './words.ts'

/** Where a bank would ask whether it is its customer who pays. */
export const challengePage = (words: Words, lang: string) =>
  page({
    lang,
    title: words.challenge.title,
    banner: words.banner,
    main: `<p>${escapeHtml(words.challenge.text)}</p>
<form method="post">
<button type="submit" name="answer" value="yes">${escapeHtml(words.challenge.confirm)}</button>
<button type="submit" name="answer" value="no" class="quiet">${escapeHtml(words.challenge.refuse)}</button>
</form>`,
  })

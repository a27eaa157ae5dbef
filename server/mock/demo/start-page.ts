import type { Language } from '#contracts/lib/constants.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { pageOf } from '#server/mock/lib/page.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { formatDuration } from './duration.ts'
import { getDemoWords } from './words.ts'

/** Key of the text, scenario, persona, and colour of the badge. */
const PEOPLE = [
  ['alice', 'family', 'alice', 'dog'],
  ['bruno', 'family', 'bruno', 'person'],
  ['haruka', 'family', 'haruka', 'cat'],
  ['dario', 'empty', 'dario', 'vehicle'],
  ['theft', 'theft', 'alice', 'theft'],
  ['admin', 'pro', 'admin', 'bike'],
  ['member', 'pro', 'member', 'plane'],
  ['support', 'family', 'support', 'other'],
] as const
type View = { language: Language; productName: string; left: number | undefined; isTurnedAway: boolean }

/** The start page of the demo, where visitors choose a persona. `left`: remaining milliseconds of their present world. */
export function renderStartPage({ language, productName, left, isTurnedAway }: View) {
  const words = getDemoWords(language)
  const people = PEOPLE.map(([key, scenario, as, kind]) => {
    const { firstName, lastName } = getPersona(as)
    const name = key === 'theft' ? words.start.robbed : `${firstName} ${lastName}`
    return `<li><a href="/?demo=${scenario}&amp;as=${as}" rel="nofollow"><span class="badge ${kind}" aria-hidden="true">${[...firstName][0]}</span><strong>${escapeHtml(name)}</strong><span class="text">${escapeHtml(words.people[key])}</span></a></li>`
  })
  return pageOf({
    lang: language,
    title: `${words.start.title} – ${productName}`,
    style: '/demo/style.css',
    body: `<main>
<p class="brand"><img src="/icons/icon.svg" alt="" width="40" height="40">${escapeHtml(productName)}</p>
<h1>${escapeHtml(words.start.title)}</h1>
<p class="lead">${escapeHtml(words.start.lead)}</p>
${isTurnedAway ? `<p class="notice" role="alert">${escapeHtml(words.start.tooMany)}</p>` : ''}
${left === undefined ? '' : `<p class="notice"><span>${escapeHtml(words.bar.left.replace('{{time}}', formatDuration(left, language)))}</span> <a href="/">${escapeHtml(words.start.goOn)}</a></p>`}
<h2>${escapeHtml(words.start.people)}</h2>
<ul>
${people.join('\n')}
</ul>
<p class="small">${escapeHtml(words.start.pretended)}</p>
</main>
<div class="art" aria-hidden="true"></div>`,
  })
}

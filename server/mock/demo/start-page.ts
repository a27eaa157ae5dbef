import type { Language } from '#contracts/lib/languages.ts'
import cs from '#locales/cs/demo.json' with { type: 'json' }
import de from '#locales/de/demo.json' with { type: 'json' }
import en from '#locales/en/demo.json' with { type: 'json' }
import es from '#locales/es/demo.json' with { type: 'json' }
import fi from '#locales/fi/demo.json' with { type: 'json' }
import fr from '#locales/fr/demo.json' with { type: 'json' }
import hu from '#locales/hu/demo.json' with { type: 'json' }
import it from '#locales/it/demo.json' with { type: 'json' }
import ja from '#locales/ja/demo.json' with { type: 'json' }
import nl from '#locales/nl/demo.json' with { type: 'json' }
import pt from '#locales/pt/demo.json' with { type: 'json' }
import sv from '#locales/sv/demo.json' with { type: 'json' }
import { escapeHtml } from '#server/lib/escape-html.ts'
import { renderHtmlPage } from '#server/mock/lib/html-page.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { formatDuration } from './duration.ts'
import type { TurnedAway } from './enter.ts'
import { IDLE_MS, MAX_LIFETIME_MS } from './limits.ts'
import type { EndedVisit } from './visits.ts'

const DEMO_WORDS: Record<Language, typeof en> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

export const getDemoWords = (language: Language) => DEMO_WORDS[language]

/** A separate file, because the page's policy forbids inline styles. Uses the colours of the portal. */
export const startPageCss = `
:root { color-scheme: light dark; --bg: #fff; --bg-2: #f6f7f8; --line: #e4e7eb; --field: #8a95a3; --text: #12181f; --text-2: #56616e; --accent: #0f766e; --accent-soft: #d8efec; --art: url("/art/light.webp"); }
@media (prefers-color-scheme: dark) {
  :root { --bg: #12161b; --bg-2: #1a2027; --line: #2a323c; --field: #66727f; --text: #edf1f5; --text-2: #9aa6b4; --accent: #2dd4bf; --accent-soft: #12332f; --art: url("/art/dark.webp"); }
}
* { box-sizing: border-box; }
body { display: grid; grid-template-columns: minmax(560px, 760px) 1fr; min-height: 100dvh; margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 "Inter Variable", system-ui, -apple-system, "Hiragino Sans", "Noto Sans JP", sans-serif; -webkit-font-smoothing: antialiased; }
main { padding: 48px clamp(24px, 5vw, 72px) 32px; }
h1, h2, p, ul { margin: 0; padding: 0; }
.brand { display: flex; gap: 12px; align-items: center; font-size: 17px; font-weight: 650; }
h1 { margin-top: 40px; font-size: 32px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
.lead { max-width: 60ch; margin-top: 8px; color: var(--text-2); }
h2 { margin-top: 32px; font-size: 17px; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 12px; margin-top: 12px; list-style: none; }
li { display: grid; }
li a { display: grid; grid-template-columns: 44px 1fr; gap: 2px 14px; align-content: start; padding: 14px; border: 1px solid var(--line); border-radius: 12px; color: inherit; text-decoration: none; }
li a:hover { border-color: var(--accent); background: var(--accent-soft); }
.badge { display: grid; grid-row: 1 / 3; place-items: center; width: 44px; height: 44px; border-radius: 50%; background: var(--k); color: #fff; font-size: 18px; font-weight: 650; }
.dog { --k: #c2410c; } .cat { --k: #9333ea; } .person { --k: #2563eb; } .bike { --k: #15803d; } .vehicle { --k: #475569; } .plane { --k: #0369a1; } .theft { --k: #b91c1c; } .other { --k: #5b6472; }
li strong { font-weight: 650; }
.text { color: var(--text-2); font-size: 14px; }
.notice { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; margin-top: 24px; padding: 12px 16px; border-radius: 12px; background: var(--accent-soft); }
.notice a { display: inline-block; padding: 6px 0; color: var(--accent); font-weight: 650; }
.small { max-width: 64ch; margin-top: 24px; color: var(--text-2); font-size: 13px; }
.art { position: sticky; top: 0; height: 100dvh; background: var(--bg-2) var(--art) center / cover; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 1000px) {
  body { display: block; }
  main { max-width: 720px; margin: 0 auto; padding: 28px 20px 32px; }
  h1 { margin-top: 28px; font-size: 28px; }
  .art { display: none; }
}
`

/**
 * Key of the text, scenario, persona, colour of the badge, and the page where the visit begins. Alice's begins with her dog, which is out
 * for a walk.
 */
const PEOPLE = [
  ['alice', 'family', 'alice', 'dog', `/trackers/${SEED.devices.rex}?follow=1`],
  ['bruno', 'family', 'bruno', 'person'],
  ['haruka', 'family', 'haruka', 'cat'],
  ['dario', 'empty', 'dario', 'vehicle'],
  ['theft', 'theft', 'alice', 'theft', `/trackers/${SEED.devices.stolenScooter}`],
  ['admin', 'pro', 'admin', 'bike'],
  ['member', 'pro', 'member', 'plane'],
  ['support', 'family', 'support', 'other'],
] as const

type View = {
  language: Language
  productName: string
  /** Remaining milliseconds of the visitor's current world. */
  left: number | undefined
  /** What happened to the visitor's previous world. */
  ended: EndedVisit | undefined
  /** Why the visitor gets no world now. */
  turnedAway: TurnedAway | undefined
}

/** The start page of the demo, where visitors choose a persona. */
export function renderStartPage({ language, productName, left, ended, turnedAway }: View) {
  const words = getDemoWords(language)
  const people = PEOPLE.map(([key, scenario, as, kind, path = '/']) => {
    const { firstName, lastName } = getPersona(as)
    const name = key === 'theft' ? words.start.robbed : `${firstName} ${lastName}`
    return `<li><a href="${path}${path.includes('?') ? '&amp;' : '?'}demo=${scenario}&amp;as=${as}" rel="nofollow"><span class="badge ${kind}" aria-hidden="true">${[...firstName][0]}</span><strong>${escapeHtml(name)}</strong><span class="text">${escapeHtml(words.people[key])}</span></a></li>`
  })
  return renderHtmlPage({
    lang: language,
    title: `${words.start.title} – ${productName}`,
    style: '/demo/style.css',
    body: `<main>
<p class="brand"><img src="/icons/icon.svg" alt="" width="40" height="40">${escapeHtml(productName)}</p>
<h1>${escapeHtml(words.start.title)}</h1>
<p class="lead">${escapeHtml(words.start.lead)}</p>
${turnedAway ? renderTurnedAway(turnedAway, language) : ''}
${ended ? renderEnded(ended, language) : ''}
${left === undefined ? '' : renderNotice(fillTime(words.bar.left, left, language), '/', words.start.goOn)}
<h2>${escapeHtml(words.start.people)}</h2>
<ul>
${people.join('\n')}
</ul>
<p class="small">${escapeHtml(words.start.pretended)}</p>
</main>
<div class="art" aria-hidden="true"></div>`,
  })
}

const fillTime = (text: string, ms: number, language: Language) => text.replace('{{time}}', formatDuration(ms, language))

const renderNotice = (text: string, link: string, label: string, role = '') =>
  `<p class="notice"${role}><span>${escapeHtml(text)}</span> <a href="${escapeHtml(link)}" rel="nofollow">${escapeHtml(label)}</a></p>`

function renderTurnedAway({ full, ms, again }: TurnedAway, language: Language) {
  const words = getDemoWords(language)
  const text = { rate: words.start.tooMany, address: words.start.networkFull, demo: words.start.full }[full]
  return renderNotice(fillTime(text, ms, language), again, words.start.tryAgain, ' role="alert"')
}

function renderEnded({ reason, scenario, as }: EndedVisit, language: Language) {
  const words = getDemoWords(language)
  const text = { idle: words.start.endedIdle, age: words.start.endedAge, room: words.start.endedRoom, unknown: words.start.ended }[reason]
  const lasted = reason === 'age' ? MAX_LIFETIME_MS : IDLE_MS
  const again = new URLSearchParams({ demo: scenario ?? 'family', ...(as && { as }) })
  return renderNotice(`${fillTime(text, lasted, language)} ${words.start.lost}`, `/?${again}`, words.bar.again)
}

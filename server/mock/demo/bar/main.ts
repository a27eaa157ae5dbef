import { durationOf } from '#server/mock/demo/duration.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { openDialog } from './dialog.ts'
import { openPeople, openReset, openShare } from './dialogs.ts'
import { type Icon, icon } from './icons.ts'
import { openMails } from './mails.ts'
import { server, type Words, type World } from './server.ts'
import { barStyle, pageStyle } from './style.ts'

const ASK_MS = 20_000
/** Session storage keys, per browser tab: whether the bar is hidden, and the newest mail seen. */
const HIDDEN = 'demoBarHidden'
const SEEN = 'demoMailSeen'

const sheetOf = (css: string) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** Shows the demo bar above every page of the portal: the remaining time, mails, personas, sharing and reset. */
async function start() {
  const page = document.documentElement
  const host = document.createElement('whereabouts-demo')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheetOf(barStyle)]
  let world: World | null = await server.world().catch(() => null)
  let asked = performance.now()
  let language = page.lang || 'en'
  let words: Words = await server.words(language)

  const fail = () => {
    for (const open of root.querySelectorAll('dialog')) open.close()
    openDialog(root, { title: words.bar.label, close: words.bar.close }).fill(
      words.bar.label,
      element('p', { role: 'alert' }, words.bar.failed),
    )
  }
  const act = (work: (said: Parameters<typeof openPeople>[0]) => unknown) => async () => {
    try {
      if (world) await work({ root, words, world, language, fail })
    } catch {
      fail()
    }
  }
  const left = element('p', { class: 'left' })

  function draw() {
    const isHidden = sessionStorage.getItem(HIDDEN) !== null
    page.dataset.demoBar = isHidden ? 'hidden' : 'shown'
    const button = (name: Icon, text: string, work: () => void) =>
      element('button', { type: 'button', title: text, onclick: work }, icon(name), element('span', {}, text))
    const mail = button('mail', words.bar.mail, act(showMails))
    mail.id = 'mail'
    const buttons = world
      ? [
          mail,
          button('people', words.bar.people, act(openPeople)),
          button('share', words.bar.share, act(openShare)),
          button('reset', words.bar.reset, act(openReset)),
        ]
      : []
    const hide = element(
      'button',
      { type: 'button', title: words.bar.collapse, 'aria-label': words.bar.collapse, onclick: () => toggle(true) },
      icon('up'),
    )
    const show = element(
      'button',
      { class: 'show', type: 'button', 'aria-label': words.bar.expand, onclick: () => toggle(false) },
      icon('down'),
    )
    const bar = isHidden ? show : element('div', { class: 'bar' }, left, ...buttons, hide)
    root.querySelector('section')?.remove()
    root.prepend(element('section', { 'aria-label': words.bar.label, lang: language }, bar))
    tell()
  }

  function toggle(isHidden: boolean) {
    if (isHidden) sessionStorage.setItem(HIDDEN, '')
    else sessionStorage.removeItem(HIDDEN)
    draw()
    root.querySelector<HTMLButtonElement>(isHidden ? '.show' : '.bar button:last-child')?.focus()
  }

  async function showMails() {
    await openMails(root, words, language)
    sessionStorage.setItem(SEEN, String(world?.newest_mail ?? 0))
    tell()
  }

  /** Updates the remaining time and the mark for new mail. */
  function tell() {
    const ms = world ? Date.parse(world.ends_at) - Date.parse(world.now) - (performance.now() - asked) : 0
    if (world && ms > 0) left.replaceChildren(words.bar.left.replace('{{time}}', durationOf(ms, language)))
    else left.replaceChildren(words.bar.over, element('a', { href: '/demo' }, words.bar.again))
    root.querySelector('#mail')?.classList.toggle('new', (world?.newest_mail ?? 0) > Number(sessionStorage.getItem(SEEN) ?? 0))
  }

  async function ask() {
    const before = world
    world = await server.world().catch(() => null)
    asked = performance.now()
    if ((before === null) === (world === null)) tell()
    else draw()
  }

  async function speak() {
    if (page.lang === language) return
    language = page.lang
    words = await server.words(language)
    draw()
  }

  if (world && sessionStorage.getItem(SEEN) === null) sessionStorage.setItem(SEEN, String(world.newest_mail))
  document.adoptedStyleSheets.push(sheetOf(pageStyle))
  draw()
  document.body.prepend(host)
  setInterval(() => document.visibilityState === 'visible' && void ask(), ASK_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void ask())
  new MutationObserver(() => void speak()).observe(page, { attributeFilter: ['lang'] })
}

void start()

import { formatDuration } from '#server/mock/demo/duration.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { type Icon, icon, openDialog, openMails, openPeople, openReset, openShare } from './dialogs.ts'
import { server, type Words, type World } from './server.ts'
import { barStyle, pageStyle } from './style.ts'
import { createTour } from './tour.ts'

const REFRESH_MS = 20_000
/** Session storage keys, per browser tab: whether the bar is hidden, and the newest mail seen. */
const HIDDEN_KEY = 'demoBarHidden'
const SEEN_KEY = 'demoMailSeen'

const createSheet = (css: string) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** Shows the demo bar above every page of the portal: the remaining time, mails, personas, sharing and reset. */
async function start() {
  const page = document.documentElement
  const host = document.createElement('whereabouts-demo')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createSheet(barStyle)]
  let token = localStorage.getItem('token')
  let world: World | null = await server.world().catch(() => null)
  let fetchedAt = performance.now()
  let language = page.lang || 'en'
  let words: Words = await server.words(language)

  const fail = () => {
    for (const open of root.querySelectorAll('dialog')) open.close()
    openDialog(root, { title: words.bar.label, close: words.bar.close }).fill(
      words.bar.label,
      element('p', { role: 'alert' }, words.bar.failed),
    )
  }
  /** The bar's data about the world may be older than the page's session. */
  const runAction = (work: (context: Parameters<typeof openPeople>[0]) => unknown) => async () => {
    try {
      await refreshWorld()
      if (world) await work({ root, words, world, language, fail })
    } catch {
      fail()
    }
  }
  const left = element('p', { class: 'left' })
  const tour = createTour(draw)

  function draw() {
    const isHidden = sessionStorage.getItem(HIDDEN_KEY) !== null
    page.dataset.demoBar = isHidden ? 'hidden' : 'shown'
    const hasTour = !isHidden && tour.isShown(world)
    page.toggleAttribute('data-demo-tour', hasTour)
    const button = (name: Icon, text: string, work: () => void) =>
      element('button', { type: 'button', title: text, onclick: work }, icon(name), element('span', {}, text))
    const mail = button('mail', words.bar.mail, runAction(showMails))
    mail.id = 'mail'
    const buttons = world
      ? [
          mail,
          button('people', words.bar.people, runAction(openPeople)),
          button('share', words.bar.share, runAction(openShare)),
          button('reset', words.bar.reset, runAction(openReset)),
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
    root.prepend(element('section', { 'aria-label': words.bar.label, lang: language }, bar, ...(hasTour ? [tour.line(words)] : [])))
    updateStatus()
  }

  function toggle(isHidden: boolean) {
    if (isHidden) sessionStorage.setItem(HIDDEN_KEY, '')
    else sessionStorage.removeItem(HIDDEN_KEY)
    draw()
    root.querySelector<HTMLButtonElement>(isHidden ? '.show' : '.bar button:last-child')?.focus()
  }

  async function showMails() {
    await openMails(root, words, language)
    sessionStorage.setItem(SEEN_KEY, String(world?.newest_mail ?? 0))
    updateStatus()
  }

  function updateStatus() {
    const ms = world ? Date.parse(world.ends_at) - Date.parse(world.now) - (performance.now() - fetchedAt) : 0
    if (world && ms > 0) left.replaceChildren(words.bar.left.replace('{{time}}', formatDuration(ms, language)))
    else left.replaceChildren(words.bar.over, element('a', { href: '/demo' }, words.bar.again))
    root.querySelector('#mail')?.classList.toggle('new', (world?.newest_mail ?? 0) > Number(sessionStorage.getItem(SEEN_KEY) ?? 0))
  }

  async function refreshWorld() {
    const before = world
    world = await server.world().catch(() => null)
    fetchedAt = performance.now()
    if ((before === null) === (world === null) && before?.persona === world?.persona) updateStatus()
    else draw()
  }

  /** A visit begins with a code, which the portal exchanges for a session while the bar is already visible. */
  function followSession() {
    const present = localStorage.getItem('token')
    if (present === token) return
    token = present
    void refreshWorld()
  }

  async function updateLanguage() {
    if (page.lang === language) return
    language = page.lang
    words = await server.words(language)
    draw()
  }

  if (world && sessionStorage.getItem(SEEN_KEY) === null) sessionStorage.setItem(SEEN_KEY, String(world.newest_mail))
  document.adoptedStyleSheets.push(createSheet(pageStyle))
  draw()
  tour.follow(() => world)
  document.body.prepend(host)
  setInterval(() => document.visibilityState === 'visible' && void refreshWorld(), REFRESH_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void refreshWorld())
  new MutationObserver(() => void updateLanguage()).observe(page, { attributeFilter: ['lang'] })
  // Each page has a title of its own.
  new MutationObserver(followSession).observe(document.head, { childList: true, characterData: true, subtree: true })
}

void start()

import { element } from '#server/mock/panel/parts/element.ts'
import { collectDeviations, panelState } from '#server/mock/panel/parts/panel-state.ts'
import { style } from '#server/mock/panel/parts/style.ts'

const SHORTCUT = { key: 'Alt+Shift+W', isPressed: ({ altKey, shiftKey, code }: KeyboardEvent) => altKey && shiftKey && code === 'KeyW' }

const address = new URL(location.href)
const asked = address.searchParams.get('panel')
if (asked !== null) panelState.isOn = asked !== '0'
if (asked === 'open' || asked === 'moved') {
  panelState.isOpen = true
  if (asked === 'moved') showThatWindowClosed()
  panelState.tab ??= 'worlds'
  // A reload must not open it again after it was closed.
  address.searchParams.delete('panel')
  history.replaceState(history.state, '', address)
}
// Automated browsers get the portal without the panel unless a test switches it on.
if (panelState.isOn ?? !navigator.webdriver) start()
if (panelState.isPseudo)
  void import('#server/mock/panel/parts/pseudo-text.ts').then(({ applyPseudoText }) => applyPseudoText(document.body))

/** The page came from a world with another origin, whose pages this one cannot share a window with. */
function showThatWindowClosed() {
  panelState.isOut = false
  panelState.message = 'The panel is in the page again, because its window belonged to the other world. “Own window” opens a new one.'
}

/** Adds the tab at the window's edge and the keyboard shortcut; everything else is loaded on opening. */
function start() {
  collectDeviations()
  const host = document.createElement('developer-panel')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  let close: (() => void) | undefined
  const opener = element(
    'button',
    { class: 'opener', type: 'button', title: `Developer panel (${SHORTCUT.key})`, 'aria-keyshortcuts': SHORTCUT.key, onclick: toggle },
    'Dev',
  )

  async function open() {
    panelState.isOpen = true
    const { openPanel } = await import('./panel.ts')
    if (panelState.isOpen && !close) close = openPanel(root, toggle)
    tell()
  }
  function toggle() {
    if (!panelState.isOpen) return void open().then(() => root.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus())
    panelState.isOpen = false
    close?.()
    close = undefined
    tell()
    opener.focus()
  }
  const tell = () => opener.setAttribute('aria-expanded', String(panelState.isOpen === true))

  addEventListener(
    'keydown',
    (event) => {
      if (!SHORTCUT.isPressed(event)) return
      event.preventDefault()
      toggle()
    },
    { capture: true },
  )
  // Keys typed into the panel must not trigger shortcuts of the portal.
  host.addEventListener('keydown', (event) => event.stopPropagation())
  tell()
  root.append(opener)
  document.body.append(host)
  if (panelState.isOpen) void open()
}

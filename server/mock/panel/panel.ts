import type { StreamEvent } from '#contracts/lib/sse.ts'
import { RequestFailed } from '#contracts/mock/connect.ts'
import { subscribeToEvents } from '#server/mock/panel/parts/control-plane.ts'
import { link } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { panelState } from '#server/mock/panel/parts/panel-state.ts'
import { createWidthGrip, openPanelWindow } from '#server/mock/panel/parts/panel-window.ts'
import type { Tab, TabAction, TabContext } from '#server/mock/panel/parts/tab.ts'
import { alerts } from '#server/mock/panel/tabs/alerts.ts'
import { clock } from '#server/mock/panel/tabs/clock.ts'
import { faults } from '#server/mock/panel/tabs/faults.ts'
import { fleet } from '#server/mock/panel/tabs/fleet.ts'
import { hostApp } from '#server/mock/panel/tabs/host-app.ts'
import { languages } from '#server/mock/panel/tabs/languages.ts'
import { mail } from '#server/mock/panel/tabs/mail.ts'
import { networks } from '#server/mock/panel/tabs/networks.ts'
import { payments } from '#server/mock/panel/tabs/payments.ts'
import { people } from '#server/mock/panel/tabs/people.ts'
import { requests } from '#server/mock/panel/tabs/requests.ts'
import { snapshots } from '#server/mock/panel/tabs/snapshots.ts'
import { worlds } from '#server/mock/panel/tabs/worlds.ts'

const TABS: Tab[] = [people, worlds, clock, requests, faults, mail, alerts, payments, fleet, networks, hostApp, languages, snapshots]
const SLOW_MS = 400
const TAB_STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Opens the panel in the page or in its own window, as last time, and returns a function that closes it. */
export function openPanel(page: ShadowRoot, close: () => void) {
  let shut = show()

  function move(isOut: boolean) {
    shut()
    panelState.isOut = isOut
    shut = show()
  }
  function show() {
    const own = panelState.isOut ? openPanelWindow(close) : null
    if (!own) return fillPanel(page, close, element('button', { type: 'button', onclick: () => move(true) }, 'Own window'))
    const empty = fillPanel(own.root, close, element('button', { type: 'button', onclick: () => move(false) }, 'Into the page'), true)
    return () => {
      empty()
      own.close()
    }
  }
  return () => shut()
}

/** Opens the panel at the last used tab and returns a function that removes it. */
function fillPanel(root: ShadowRoot, close: () => void, mover: HTMLElement, isOut = false) {
  const gone = new AbortController()
  const status = element('div', { class: 'status', role: 'status' })
  const body = element('div', { class: 'body', role: 'tabpanel', id: 'body', tabindex: '0' })
  const tabs = TABS.map((tab) =>
    element('button', { role: 'tab', type: 'button', id: tab.id, 'aria-controls': 'body', onclick: () => selectTab(tab) }, tab.title),
  )
  const list = element('div', { role: 'tablist', 'aria-label': 'Tools', 'aria-orientation': 'vertical', onkeydown: selectByArrow }, ...tabs)
  const shut = element('button', { type: 'button', class: 'shut', 'aria-label': 'Close', onclick: close }, '×')
  const head = element('header', {}, element('h2', { id: 'title' }, 'Developer panel'), mover, shut)
  const frame = element('div', { class: 'frame' }, head, list, body, status)
  const panel = element('aside', { 'aria-labelledby': 'title', 'data-out': isOut, onkeydown: closeOnEscape }, frame)
  if (!isOut) panel.append(createWidthGrip(panel))
  let hear = (_: StreamEvent) => {}

  function selectByArrow(event: Event) {
    const to = TAB_STEPS[(event as KeyboardEvent).key]
    if (!to) return
    event.preventDefault()
    const at = TABS.findIndex(({ id }) => id === root.activeElement?.id)
    const next = to(at, tabs.length)
    tabs[next]!.focus()
    selectTab(TABS[next]!)
  }
  function closeOnEscape(event: Event) {
    if (!isOut && (event as KeyboardEvent).key === 'Escape') close()
  }

  /** `message` was left by an action that reloaded the page. */
  function selectTab(tab: Tab, message?: string) {
    panelState.tab = tab.id
    for (const one of tabs) {
      one.setAttribute('aria-selected', String(one.id === tab.id))
      one.tabIndex = one.id === tab.id ? 0 : -1
    }
    body.setAttribute('aria-labelledby', tab.id)
    const page = element('div', { class: 'page' })
    body.replaceChildren(page)
    const context = createContext(page)
    void run(async () => {
      await tab.show(context)
      return message
    })
  }

  /** Contexts write to their own page, so output that arrives after a change of tab is discarded with the page. */
  function createContext(page: HTMLElement): TabContext {
    const listeners = new Map<string, (data: unknown) => void>()
    hear = ({ type, data }) => listeners.get(type)?.(JSON.parse(data))
    return {
      run,
      fill: (...parts) => page.replaceChildren(...parts),
      on: (type, listener) => void listeners.set(type, listener),
      isShown: () => page.isConnected,
      open: (id) => selectTab(TABS.find((tab) => tab.id === id)!),
      reload(message) {
        panelState.message = message
        location.reload()
      },
    }
  }

  const showStatus = (...words: Node[]) => status.replaceChildren(...words)

  async function run(work: TabAction) {
    const before = root.activeElement
    showStatus()
    const slow = setTimeout(() => showStatus(element('p', {}, 'Working…')), SLOW_MS)
    try {
      const message = await work()
      showStatus(...(typeof message === 'string' ? [element('p', {}, message)] : []))
    } catch (failure) {
      showStatus(...renderError(failure))
    }
    clearTimeout(slow)
    if (before && !before.isConnected) body.focus()
  }

  root.append(panel)
  selectTab(TABS.find(({ id }) => id === panelState.tab) ?? people, panelState.message)
  panelState.message = undefined
  void subscribeToEvents(gone.signal, (event) => hear(event))
  return () => {
    gone.abort()
    panel.remove()
  }
}

function renderError(failure: unknown) {
  const reason = element('p', { class: 'bad' }, failure instanceof Error ? failure.message : String(failure))
  const isForbidden = failure instanceof RequestFailed && failure.status === 403
  return isForbidden ? [reason, link('/mock/mailbox', 'Sign in to the control plane', { target: '_blank' })] : [reason]
}

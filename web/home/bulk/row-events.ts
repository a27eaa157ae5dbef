import type { NavigateFunction } from 'react-router-dom'
import { singleKeys } from '#web/lib/navigation/shortcuts.ts'
import { lift, markRows } from '#web/map/pins/lifted.ts'
import type { Ticked } from './use-ticked.ts'

/** Dialogs that a key opens on the card of a tracker. */
const SHEETS: Record<string, string> = { b: 'boost', l: 'lost', s: 'share' }

/** As for the shortcuts of sections, whose first key is G. */
const SECOND_KEY_MS = 1500

export type Latest = { ticked: Ticked | undefined; navigate: NavigateFunction }

const linkOf = (target: EventTarget | null) =>
  target instanceof Element ? (target.closest('li, tr')?.querySelector<HTMLElement>('a[data-tracker]') ?? null) : null
const idOf = (target: EventTarget | null) => Number(linkOf(target)?.dataset.tracker) || null

/** Starts to listen to an element with rows of trackers; returns the function that ends it. */
export function attachRows(element: HTMLElement, latest: { readonly current: Latest }) {
  const aborted = new AbortController()
  const { signal } = aborted
  const keys = { goingSince: Number.NEGATIVE_INFINITY }
  element.addEventListener('keydown', (event) => onKey(element, event, latest.current, keys), { signal })
  element.addEventListener(
    'click',
    ({ target, shiftKey }) => {
      const id = target instanceof HTMLInputElement && target.dataset.tick
      if (id) latest.current.ticked?.toggle(Number(id), shiftKey)
    },
    { signal },
  )
  element.addEventListener('pointerover', ({ target, pointerType }) => pointerType === 'mouse' && lift(idOf(target)), { signal })
  element.addEventListener('pointerleave', () => lift(null), { signal })
  element.addEventListener('focusin', ({ target }) => lift(idOf(target)), { signal })
  element.addEventListener('focusout', () => lift(null), { signal })
  const unmark = markRows(element)
  return () => {
    aborted.abort()
    unmark()
    lift(null)
  }
}

function onKey(list: HTMLElement, event: KeyboardEvent, { ticked, navigate }: Latest, keys: { goingSince: number }) {
  const { key, target, ctrlKey, metaKey, altKey, timeStamp } = event
  if (ctrlKey || metaKey || altKey) return
  if (key === 'Escape' && ticked && ticked.ticked.length > 0) {
    event.preventDefault()
    return ticked.clear()
  }
  const link = linkOf(target)
  const isGoing = timeStamp - keys.goingSince < SECOND_KEY_MS
  keys.goingSince = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
  if (!link || isGoing || (key.length === 1 && !singleKeys.areOn())) return
  const act = actionOf(list, key, link, { ticked, navigate }, target)
  if (!act) return
  event.preventDefault()
  act()
}

function actionOf(list: HTMLElement, key: string, link: HTMLElement, { ticked, navigate }: Latest, target: EventTarget | null) {
  const step = { j: 1, k: -1 }[key]
  const sheet = SHEETS[key]
  const id = link.dataset.tracker ?? ''
  if (step)
    return () => {
      const links = [...list.querySelectorAll<HTMLElement>('a[data-tracker]')]
      links[links.indexOf(link) + step]?.focus()
    }
  if (sheet) return () => void navigate(`/trackers/${encodeURIComponent(id)}?sheet=${sheet}`)
  if (key === 'x' && ticked) return () => ticked.toggle(Number(id))
  // The link itself opens the card.
  return key === 'Enter' && target !== link ? () => link.click() : undefined
}

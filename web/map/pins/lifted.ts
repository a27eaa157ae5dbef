import { useSyncExternalStore } from 'react'

/** The tracker whose row or pin is under the pointer or has the focus; the other one of the two is highlighted too. */
let lifted: number | null = null
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function lift(id: number | null) {
  if (id === lifted) return
  lifted = id
  for (const listener of listeners) listener()
}

export const useLifted = () => useSyncExternalStore(subscribe, () => lifted)

/** Highlights the row of the lifted tracker within an element, without rendering the list again. */
export function markRows(list: HTMLElement) {
  const mark = () => {
    for (const row of list.querySelectorAll('[data-lifted]')) row.removeAttribute('data-lifted')
    if (lifted !== null) list.querySelector(`[data-tracker="${lifted}"]`)?.closest('li, tr')?.setAttribute('data-lifted', '')
  }
  return subscribe(mark)
}

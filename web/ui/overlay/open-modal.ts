import { useSyncExternalStore } from 'react'
import { enterDialogHistory } from '#web/lib/navigation/dialog-history.ts'
import { buttonName } from '#web/ui/button-name.ts'

/**
 * Ref callback of a dialog: opens it as a modal that Back closes. On removal the focus returns to the opener, or to the content if the opener is gone, e.g.
 * because its row was deleted. `data-opener` holds the name of the button that opened the dialog.
 */
export function openModal(dialog: HTMLDialogElement) {
  const before = document.activeElement
  if (before instanceof HTMLButtonElement) dialog.dataset.opener = buttonName(before)
  if (!dialog.open) dialog.showModal()
  const leaveFront = bringToFront(dialog)
  const leaveHistory = enterDialogHistory(dialog)
  return () => {
    leaveHistory()
    leaveFront()
    // When React detaches the ref, elements removed together with the dialog are still in the document.
    queueMicrotask(() => returnFocus(before))
    // Queries update in a task of their own, which may remove the opener later.
    setTimeout(returnFocus, 0, before)
  }
}

function returnFocus(before: Element | null) {
  if (document.activeElement !== document.body) return
  const to = before?.isConnected ? before : document.getElementById('content')
  if (to instanceof HTMLElement) to.focus({ preventScroll: true })
}

const listeners = new Set<() => void>()
let open: readonly HTMLDialogElement[] = []

const set = (next: readonly HTMLDialogElement[]) => {
  open = next
  for (const listener of listeners) listener()
}

/** Puts a modal dialog on top of the stack; the returned function removes it. */
function bringToFront(dialog: HTMLDialogElement) {
  set([...open, dialog])
  return () => set(open.filter((one) => one !== dialog))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The topmost modal dialog. Content outside it is inert and not announced by screen readers. */
export const useFrontDialog = () => useSyncExternalStore(subscribe, () => open.at(-1))

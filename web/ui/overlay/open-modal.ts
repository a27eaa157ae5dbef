import { buttonName } from '#web/lib/button-name.ts'
import { bringToFront } from './front-dialog.ts'

/**
 * Ref callback of a dialog: opens it as a modal. On removal the focus returns to the opener, or to the content if the opener is gone, e.g.
 * because its row was deleted. `data-opener` holds the name of the button that opened the dialog.
 */
export function openModal(dialog: HTMLDialogElement) {
  const before = document.activeElement
  if (before instanceof HTMLButtonElement) dialog.dataset.opener = buttonName(before)
  if (!dialog.open) dialog.showModal()
  const leaveFront = bringToFront(dialog)
  return () => {
    leaveFront()
    // When React detaches the ref, elements removed together with the dialog are still in the document.
    queueMicrotask(() => returnFocus(before))
  }
}

function returnFocus(before: Element | null) {
  if (document.activeElement !== document.body) return
  const to = before?.isConnected ? before : document.getElementById('content')
  if (to instanceof HTMLElement) to.focus({ preventScroll: true })
}

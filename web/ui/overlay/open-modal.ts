import { buttonName } from '#web/lib/button-name.ts'
import { bringToFront } from './front-dialog.ts'

/**
 * For the `ref` of a dialog: opens it over everything else. When it goes, the focus is where it was before; in the content
 * when that is gone, as the button of a line that was deleted. `data-opener` names the button that opened it.
 */
export function openModal(dialog: HTMLDialogElement) {
  const before = document.activeElement
  if (before instanceof HTMLButtonElement) dialog.dataset.opener = buttonName(before)
  if (!dialog.open) dialog.showModal()
  const leaveFront = bringToFront(dialog)
  return () => {
    leaveFront()
    // What goes together with the dialog is still there when React lets go of it.
    queueMicrotask(() => giveBack(before))
  }
}

function giveBack(before: Element | null) {
  if (document.activeElement !== document.body) return
  const to = before?.isConnected ? before : document.getElementById('content')
  if (to instanceof HTMLElement) to.focus({ preventScroll: true })
}

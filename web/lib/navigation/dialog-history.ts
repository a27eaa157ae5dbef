/**
 * Entries of dialogs in the browser's history, so that Back closes a dialog and nothing else. They have the state of their page, so the
 * router does not notice them, and a position after it. A dialog that was closed in another way leaves its entry, and Back skips it:
 * removing it at once could remove the page that the dialog has just opened.
 */
type Open = { dialog: HTMLDialogElement; position: number }

/** Dialogs in the order in which they were opened. */
let open: readonly Open[] = []

const read = () => {
  const { idx, dialog }: { idx?: number; dialog?: number } = Object(history.state)
  return { page: idx, position: dialog ?? 0 }
}

let seen = read()

const forwardListeners = new Set<(sheet: string) => void>()

/** Hears of the dialog whose entry Forward has reached, so that it is opened again; call the returned function to stop. */
export function onForward(listener: (sheet: string) => void) {
  forwardListeners.add(listener)
  return () => void forwardListeners.delete(listener)
}

/** Name of the dialog in the address, by which a reload or a link opens it again; null for none. */
export const readSheet = () => new URLSearchParams(location.search).get('sheet')

const address = (sheet: string | undefined) => {
  const url = new URL(location.href)
  if (sheet) url.searchParams.set('sheet', sheet)
  else url.searchParams.delete('sheet')
  return url
}

/** Adds an entry for a dialog, with the name in its `data-sheet` in the address; call the returned function when the dialog is gone. */
export function enterDialogHistory(dialog: HTMLDialogElement) {
  seen = read()
  const isFree = seen.position > (open.at(-1)?.position ?? 0)
  const position = isFree ? seen.position : seen.position + 1
  const url = open.length > 0 ? location.href : address(dialog.dataset.sheet)
  // For a link to a dialog, the page below it gets an address without the dialog.
  if (!isFree && open.length === 0 && readSheet()) history.replaceState(history.state, '', address(undefined))
  if (isFree) history.replaceState(history.state, '', url)
  else history.pushState({ ...history.state, dialog: position }, '', url)
  seen = read()
  const { page } = seen
  const entry = { dialog, position }
  open = [...open, entry]
  return () => {
    open = open.filter((one) => one !== entry)
    const now = read()
    if (now.page === page && now.position === position && open.length === 0) history.replaceState(history.state, '', address(undefined))
  }
}

/** Closes like Escape, so that a form can ask first; returns whether it is closed. */
function close({ dialog }: Open) {
  if (!dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) return false
  dialog.close()
  return true
}

function handlePop(event: PopStateEvent) {
  const [before, now] = [seen, read()]
  seen = now
  // Entries without a number are not the router's, such as those of links within the page.
  if (now.page === undefined || now.page !== before.page) return
  // The entry belongs to a dialog of the current page: the router must not load the page again.
  event.stopImmediatePropagation()
  if (now.position >= before.position) {
    const sheet = readSheet()
    if (sheet && open.length === 0) for (const hear of forwardListeners) hear(sheet)
    return
  }
  const above = open.filter(({ position }) => position > now.position).reverse()
  if (above.length === 0) return history.back()
  if (above.every(close)) return
  history.pushState({ ...history.state, dialog: before.position }, '', address(open[0]?.dialog.dataset.sheet))
  seen = read()
}

/** Follows the router: Back belongs to each new page. */
export const followPages = () => {
  seen = read()
}

addEventListener('popstate', handlePop, { capture: true })

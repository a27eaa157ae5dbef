/**
 * Entries of dialogs in the browser's history, so that Back closes a dialog and nothing else. They have the state of their page, which is
 * why the router does not notice them, and a position above it. A dialog that was closed otherwise leaves its entry, and Back skips it:
 * taking it back at once could take back the page that the dialog has just opened.
 */
type Open = { dialog: HTMLDialogElement; position: number }

/** Dialogs in the order in which they were opened. */
let open: readonly Open[] = []

const read = () => {
  const { idx, dialog }: { idx?: number; dialog?: number } = Object(history.state)
  return { page: idx, position: dialog ?? 0 }
}

let seen = read()

/** Name of the dialog in the address, for which a reload or a link opens it again; null for none. */
export const readSheet = () => new URLSearchParams(location.search).get('sheet')

const address = (sheet: string | undefined) => {
  const url = new URL(location.href)
  if (sheet) url.searchParams.set('sheet', sheet)
  else url.searchParams.delete('sheet')
  return url
}

/** Adds an entry for a dialog, with the name in its `data-sheet` in the address; the returned function is called when it is gone. */
export function enterDialogHistory(dialog: HTMLDialogElement) {
  seen = read()
  const isFree = seen.position > (open.at(-1)?.position ?? 0)
  const position = isFree ? seen.position : seen.position + 1
  const url = open.length > 0 ? location.href : address(dialog.dataset.sheet)
  // A link to a dialog: the page below it has an address without.
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

/** Closes as Escape does, so that a form can ask first; returns whether it is closed. */
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
  // The entry belongs to a dialog of the page that is shown: the router must not load the page again.
  event.stopImmediatePropagation()
  if (now.position >= before.position) return
  const above = open.filter(({ position }) => position > now.position).reverse()
  if (above.length === 0) return history.back()
  if (above.every(close)) return
  history.pushState({ ...history.state, dialog: before.position }, '', address(open[0]?.dialog.dataset.sheet))
  seen = read()
}

/** Follows the router: from a new page on, Back belongs to it. */
export const followPages = () => {
  seen = read()
}

addEventListener('popstate', handlePop, { capture: true })

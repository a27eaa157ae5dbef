/** Copies text and returns whether it worked. Web views often lack or forbid the Clipboard API, so `execCommand` is the fallback. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return isCopied === true || copySelected(text)
}

function copySelected(text: string) {
  const holder = document.createElement('textarea')
  const before = document.activeElement
  holder.value = text
  holder.style.cssText = 'position:fixed;opacity:0'
  // Text outside an open modal dialog can't be selected.
  const place = before?.closest('dialog') ?? document.body
  place.append(holder)
  holder.focus()
  holder.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    holder.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}

import { useEffect, useRef } from 'react'

/**
 * On a page with a long list Ctrl F or ⌘F focuses its search field, because the browser would search only the rendered rows. In the field
 * it opens the browser's own search. Returns the ref of the field.
 */
export function useFindKey(isWanted: boolean) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!isWanted) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f'
      if (!isFind || !field.current || document.activeElement === field.current || document.querySelector('dialog[open]')) return
      event.preventDefault()
      field.current.select()
      field.current.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isWanted])
  return field
}

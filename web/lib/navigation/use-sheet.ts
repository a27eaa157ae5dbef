import { useEffect, useState } from 'react'
import { onForward, readSheet } from './dialog-history.ts'

/** The open dialog of a page by its name in the address: a reload, a link and Forward open it again. */
export function useSheet() {
  const [open, setOpen] = useState(readSheet)
  useEffect(() => onForward(setOpen), [])
  return [open, setOpen] as const
}

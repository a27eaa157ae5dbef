import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { onForward, readSheet } from './dialog-history.ts'

/** The open dialog of a page by its name in the address: a reload, a link and Forward open it again. */
export function useSheet() {
  const [open, setOpen] = useState(readSheet)
  const { key, search } = useLocation()
  const [seen, setSeen] = useState(key)
  if (key !== seen) {
    setSeen(key)
    setOpen(new URLSearchParams(search).get('sheet'))
  }
  useEffect(() => onForward(setOpen), [])
  return [open, setOpen] as const
}

import { createContext, Fragment, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useMedia } from '#web/lib/use-media.ts'
import classes from './split.module.css'

/** Whether the window has room for the chosen entry beside the list. The same width as in split.module.css. */
export const useIsSplit = () => useMedia('(min-width: 1200px)')

const Details = createContext<{ reset: () => void } | null>(null)

/** Set in the details of a split screen; `reset` discards what was typed there. */
export const useDetails = () => useContext(Details)

type Props = { details: ReactNode; children: ReactNode }

/** A list, and the details of the chosen entry, whose heading gets the focus when another one is chosen: beside the list if the window is wide, otherwise after it, where they are dialogs. */
export function Split({ details, children }: Props) {
  const isSplit = useIsSplit()
  const [round, setRound] = useState(0)
  const pane = useRef<HTMLDivElement>(null)
  const { pathname, search } = useLocation()
  const shown = useRef(pathname + search)
  useEffect(() => {
    if (shown.current === pathname + search) return
    shown.current = pathname + search
    pane.current?.scrollTo?.(0, 0)
    pane.current?.querySelector('h2')?.focus({ preventScroll: true })
  }, [pathname, search])
  if (!isSplit || !details)
    return (
      <>
        {children}
        {details}
      </>
    )
  return (
    <div className={classes.split}>
      <div className={classes.list}>{children}</div>
      <div ref={pane} className={classes.details}>
        <Details value={{ reset: () => setRound(round + 1) }}>
          <Fragment key={round}>{details}</Fragment>
        </Details>
      </div>
    </div>
  )
}

type DetailProps = { title: string; lead?: ReactNode; isWide?: boolean; isPage?: boolean; children: ReactNode }

/** A titled part of the details, as wide as a text unless `isWide`. `isPage`: it has an address of its own, and takes the focus of a new page. */
export function Detail({ title, lead, isWide = false, isPage = false, children }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isPage && document.activeElement?.id === 'content') heading.current?.focus({ preventScroll: true })
  }, [isPage])
  return (
    <section className={classes.detail} aria-label={title} data-wide={isWide || undefined}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  )
}

/**
 * The entry chosen in the address, or the first one, and the addresses of the others. Nothing is chosen on a window without room for the
 * details.
 */
export function useChosen<K extends string, E extends { [key in K]: number | string }>(entries: readonly E[], key: K) {
  const isSplit = useIsSplit()
  const [search] = useSearchParams()
  const to = (entry: E) => {
    const next = new URLSearchParams(search)
    next.set('entry', String(entry[key]))
    return `?${next}`
  }
  if (!isSplit) return { chosen: undefined, to: undefined }
  return { chosen: entries.find((entry) => String(entry[key]) === search.get('entry')) ?? entries[0], to }
}

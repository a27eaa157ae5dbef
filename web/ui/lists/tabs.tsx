import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './tabs.module.css'

export type Tab<T extends string> = {
  value: T
  label: string /** Said of a tab with changes that are not saved. */
  mark?: string | false
  content: ReactNode
}

type Props<T extends string> = { label: string; value: T; onChange: (value: T) => void; tabs: readonly Tab<T>[] }

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs of one page. The content of the others stays, so that nothing typed there is lost. */
export function Tabs<T extends string>({ label, value, onChange, tabs }: Props<T>) {
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = STEPS[event.key]?.(
      tabs.findIndex((tab) => tab.value === value),
      tabs.length,
    )
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    onChange(tab.value)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next!]?.focus()
  }
  return (
    <>
      {tabs.length > 1 && (
        <div role="tablist" aria-label={label} className={classes.tabs} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-controls={`${id}-panel-${tab.value}`}
              aria-selected={tab.value === value}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
              {tab.mark && (
                <span className={classes.mark}>
                  <VisuallyHidden>{tab.mark}</VisuallyHidden>
                </span>
              )}
            </button>
          ))}
        </div>
      )}
      {tabs.map((tab) => (
        <div
          key={tab.value}
          {...(tabs.length > 1 && {
            role: 'tabpanel',
            id: `${id}-panel-${tab.value}`,
            'aria-labelledby': `${id}-${tab.value}`,
          })}
          hidden={tab.value !== value}
        >
          {tab.content}
        </div>
      ))}
    </>
  )
}

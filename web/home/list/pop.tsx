import { useClickOutside } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import classes from './list-tools.module.css'

type Props = { label: string; icon: ReactNode; children: ReactNode; value?: string | undefined; isIcon?: boolean }

/** A button with a panel below it; Escape or a click outside closes it. */
export function Pop({ label, icon, children, value, isIcon = false }: Props) {
  const panel = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const around = useClickOutside(() => setOpen(false))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for Escape from the controls inside
    <div
      ref={around}
      className={classes.pop}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.preventDefault()
        setOpen(false)
        button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        className={classes.button}
        data-icon={isIcon || undefined}
        aria-label={isIcon ? label : undefined}
        title={isIcon ? label : undefined}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
        {!isIcon && (
          <>
            {label} {value && <span>{value}</span>}
            <IconChevronDown size={14} aria-hidden="true" />
          </>
        )}
      </button>
      {isOpen && (
        <div id={panel} className={classes.panel}>
          {children}
        </div>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import classes from './floating-card.module.css'

export const FloatingCard = ({ label, className, children }: { label?: string; className?: string; children: ReactNode }) => (
  <section aria-label={label} className={`${classes.card} ${className ?? ''}`}>
    {children}
  </section>
)

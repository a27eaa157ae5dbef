import { type ReactNode, useId } from 'react'
import classes from './account.module.css'

export function Card({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  )
}

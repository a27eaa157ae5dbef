import { type ReactNode, useId } from 'react'
import classes from './theft-file.module.css'

export function Section({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <h2 id={heading}>
        <span aria-hidden="true">{icon}</span>
        {title}
      </h2>
      {children}
    </section>
  )
}

import { type ReactNode, useId } from 'react'
import classes from './theft-file.module.css'

type Props = {
  icon: ReactNode
  title: string
  isUrgent?: true
  /** Outside the card, for a layout that places it elsewhere. */
  beside?: ReactNode
  children: ReactNode
}

export function Section({ icon, title, isUrgent, beside, children }: Props) {
  const heading = useId()
  return (
    <section className={classes.region} aria-labelledby={heading}>
      <div className={classes.section} data-urgent={isUrgent}>
        <h2 id={heading}>
          <span aria-hidden="true">{icon}</span>
          {title}
        </h2>
        {children}
      </div>
      {beside}
    </section>
  )
}

import type { CSSProperties } from 'react'
import classes from './tag-chip.module.css'

/** A dot in the tag's colour and its name in the text colour, so that any colour is readable in either theme. */
export const TagChip = ({ tag: { name, color } }: { tag: { name: string; color: string } }) => (
  <span className={classes.chip} style={{ '--tag': color } as CSSProperties}>
    {name}
  </span>
)

import type { CSSProperties } from 'react'
import classes from './tag-chip.module.css'

/** A tag: a dot of its colour, and its word in the colour of text, so that any colour can be read in either theme. */
export const TagChip = ({ tag: { name, color } }: { tag: { name: string; color: string } }) => (
  <span className={classes.chip} style={{ '--tag': color } as CSSProperties}>
    {name}
  </span>
)

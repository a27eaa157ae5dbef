import type { ReactNode } from 'react'
import classes from './visually-hidden.module.css'

/** Said by screen readers, not drawn. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => <span className={classes.hidden}>{children}</span>

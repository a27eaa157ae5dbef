import classes from './badge.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** A state in one or two words; the colour adds no information. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: string }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
)

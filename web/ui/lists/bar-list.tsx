import type { CSSProperties, ReactNode } from 'react'
import classes from './bar-list.module.css'

type Bar = {
  key: string
  label: ReactNode
  /** Share from 0 to 1. */
  share: number
  /** The amount as text. */
  value: string
  isChosen?: boolean
  onChoose?: () => void
}

/** A bar chart in which every bar also has a text. */
export const BarList = ({ label, bars }: { label: string; bars: readonly Bar[] }) => (
  <ul className={classes.bars} aria-label={label}>
    {bars.map(({ key, onChoose, isChosen, ...bar }) => (
      <li key={key}>
        {onChoose ? (
          <button type="button" className={classes.bar} aria-pressed={isChosen} onClick={onChoose}>
            <Row {...bar} />
          </button>
        ) : (
          <div className={classes.bar}>
            <Row {...bar} />
          </div>
        )}
      </li>
    ))}
  </ul>
)

const Row = ({ label, share, value }: Pick<Bar, 'label' | 'share' | 'value'>) => (
  <>
    <span className={classes.label}>{label}</span>
    <span className={classes.value}>{value}</span>
    <span className={classes.rail} style={{ '--share': `${Math.round(share * 1000) / 10}%` } as CSSProperties} aria-hidden="true" />
  </>
)

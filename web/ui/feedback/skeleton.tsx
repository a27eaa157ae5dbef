import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './skeleton.module.css'

/** A grey block in place of content, sized by its class or by width and height. */
export const SkeletonBlock = ({ className, width, height }: { className?: string; width?: number | string; height?: number | string }) => (
  <span data-skeleton="" className={`${classes.block} ${className ?? ''}`} style={{ width, height }} />
)

/** Rows of 60 px with a disc and two lines. */
export function SkeletonRows({ count = 6 }: { count?: number }) {
  const { t } = useTranslation()
  return (
    <div role="status" className={classes.rows}>
      <VisuallyHidden>{t('app.loading')}</VisuallyHidden>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={row} className={classes.row} aria-hidden="true">
          <SkeletonBlock className={classes.disc} />
          <span className={classes.lines}>
            <SkeletonBlock width={`${52 + ((row * 17) % 30)}%`} height={13} />
            <SkeletonBlock width={`${30 + ((row * 23) % 35)}%`} height={11} />
          </span>
        </div>
      ))}
    </div>
  )
}

const SLOW_MS = 5000

/** Next to a skeleton: a note that the connection is slow, after some seconds of waiting. */
export function SlowNote() {
  const { t } = useTranslation()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    isSlow && (
      <p role="status" data-slow>
        {t('app.slow')}
      </p>
    )
  )
}

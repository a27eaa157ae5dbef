import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const SLOW_MS = 5000

/** Beside a skeleton: says that the connection is slow once waiting has taken some seconds. */
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

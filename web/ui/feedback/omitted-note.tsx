import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '#web/lib/api/query.ts'
import { getOmitted, MORE } from '#web/lib/other-backends/omitted.ts'
import styles from './omitted-note.module.css'

const cache = queryClient.getQueryCache()
const subscribe = (listener: () => void) => cache.subscribe(listener)
const countShown = () =>
  cache
    .getAll()
    .filter((query) => query.isActive())
    .reduce((sum, { state }) => sum + getOmitted(state.data), 0)

/** A note above a screen that its list continues, or how many entries of its lists were unreadable. */
export default function OmittedNote() {
  const { t } = useTranslation()
  const count = useSyncExternalStore(subscribe, countShown)
  return count === 0 ? null : (
    <p role="status" className={styles.note}>
      {count === MORE ? t('more') : t('omitted', { count })}
    </p>
  )
}

import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { faultWords } from './fault-words.ts'
import classes from './import.module.css'
import type { Refused } from './use-import.ts'

export function RefusedLines({ lines }: { lines: Refused }) {
  const { t } = useTranslation()
  const { number } = useFormats()
  if (lines.length === 0) return null
  return (
    <>
      <h3 className={classes.count} data-is="bad">
        {t('places.import.refused', { count: lines.length })}
      </h3>
      <p className={classes.types}>{t('places.import.refusedLead')}</p>
      <ul className={classes.rows}>
        {lines.map(({ line, errors }) => (
          <li key={line}>
            <small>{t('places.import.line', { line: number(line) })}</small>
            {faultWords(t, errors).map((words) => (
              <span key={words} className={classes.fault}>
                {words}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}

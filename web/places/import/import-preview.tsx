import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { formatFaults, formatProblem } from './csv-faults.format.ts'
import type { PreviewRow, Problem } from './csv-preview.ts'
import classes from './import.module.css'

/** Rows shown to recognise the file by. */
const SHOWN = 5

type Props = {
  file: string
  rows: readonly PreviewRow[]
  bad: number
  problem: Problem | null
  isSending: boolean
  onSend: () => void
  onReset: () => void
}

export function ImportPreview({ file, rows, bad, problem, isSending, onSend, onReset }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const rest = rows.length - SHOWN
  return (
    <section className={classes.preview} aria-label={t('places.import.preview', { file })}>
      <h2>{file}</h2>
      <p className={classes.sums}>
        <span>{t('places.import.rows', { count: rows.length })}</span>
        {bad > 0 && <span data-is="bad">{t('places.import.bad', { count: bad })}</span>}
      </p>
      <ul className={classes.rows}>
        {rows.slice(0, SHOWN).map(({ line, texts, faults }) => (
          <li key={line}>
            <small>{t('places.import.line', { line: formats.number(line) })}</small>
            <strong>{texts[0]}</strong>
            <span>{texts.slice(1).join(' · ')}</span>
            {faults &&
              formatFaults(t, faults).map((words) => (
                <span key={words} className={classes.fault}>
                  {words}
                </span>
              ))}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={classes.types}>{t('places.import.more', { count: rest })}</p>}
      <FormAlert>{problem && formatProblem(t, formats, problem)}</FormAlert>
      {isSending && (
        <div role="status" className={classes.busy}>
          <progress aria-label={t('places.import.send')} />
          {t('places.import.busy')}
        </div>
      )}
      <div className={classes.buttons}>
        <Button h={48} size="md" loading={isSending} onClick={onSend}>
          {t('places.import.send')}
        </Button>
        <Button h={48} variant="default" disabled={isSending} onClick={onReset}>
          {t('places.import.another')}
        </Button>
      </div>
    </section>
  )
}

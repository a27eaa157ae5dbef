import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tagKey } from '#contracts/rules/reading/text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { formatFaults, formatProblem, type PreviewRow, type Problem } from './csv-preview.ts'
import classes from './import.module.css'

/** Rows shown as a sample of the file; those with a problem come first. */
const SHOWN = 5

const pickShown = (rows: readonly PreviewRow[]) =>
  rows
    .toSorted((a, b) => Number(!a.faults) - Number(!b.faults))
    .slice(0, SHOWN)
    .toSorted((a, b) => a.line - b.line)

type Props = {
  file: string
  rows: readonly PreviewRow[]
  bad: number
  problem: Problem | null
  isSending: boolean
  onSend: (leftOut: readonly PreviewRow[]) => void
  onReset: () => void
}

export function ImportPreview({ file, rows, bad, problem, isSending, onSend, onReset }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const shown = pickShown(rows)
  const rest = rows.length - shown.length
  const isThere = useKnownPlaces()
  const [isSkipping, setSkipping] = useState(true)
  const known = rows.filter(({ faults, texts }) => !faults && isThere(texts))
  const already = known.length
  const isNothingNew = isSkipping && already > 0 && already + bad === rows.length
  return (
    <section className={classes.preview} aria-label={t('places.import.preview', { file })}>
      <h2>{file}</h2>
      <p className={classes.sums}>
        <span>{t('places.import.rows', { count: rows.length })}</span>
        {already > 0 && (
          <span data-is="bad">
            {t('places.import.already')}: {formats.number(already)}
          </span>
        )}
        {bad > 0 && <span data-is="bad">{t('places.import.bad', { count: bad })}</span>}
      </p>
      <ul className={classes.rows}>
        {shown.map(({ line, texts, faults }) => (
          <li key={line}>
            <small>{t('places.import.line', { line: formats.number(line) })}</small>
            <strong>{texts[0]}</strong>
            <span>{texts.slice(1).filter(Boolean).join(' · ')}</span>
            {!faults && isThere(texts) && <span className={classes.fault}>{t('places.import.already')}</span>}
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
      {already > 0 && (
        <CheckboxField checked={isSkipping} disabled={isSending} onChange={({ target }) => setSkipping(target.checked)}>
          {t('places.import.skip')}
        </CheckboxField>
      )}
      <FormAlert>{problem && formatProblem(t, formats, problem)}</FormAlert>
      {isSending && (
        <div role="status" className={classes.busy}>
          <progress aria-label={t('places.import.send')} />
          {t('places.import.busy')}
        </div>
      )}
      <div className={classes.buttons}>
        <Button h={48} size="md" loading={isSending} disabled={isNothingNew} onClick={() => onSend(isSkipping ? known : [])}>
          {t('places.import.send')}
        </Button>
        <Button h={48} variant="default" disabled={isSending} onClick={onReset}>
          {t('places.import.another')}
        </Button>
      </div>
    </section>
  )
}

const toKey = (name: string, address: string) => [name, address].map(tagKey).join('\n')

/** Whether the import would duplicate an existing place (same name and address). */
function useKnownPlaces() {
  const places = useQuery(placesQuery()).data ?? []
  const keys = new Set(places.map(({ name, address }) => toKey(name, address)))
  return ([name = '', address = '']: readonly string[]) => keys.has(toKey(name, address))
}

import { Button } from '@mantine/core'
import { IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { saveFile } from '#web/lib/api/download.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { formatFaults, formatProblem, type Problem } from './csv-preview.ts'
import classes from './import.module.css'
import type { Refused } from './use-import.ts'

export function ImportResult({ created, refused, onReset }: { created: number; refused: Refused; onReset: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.preview}>
      <p role="status" className={classes.count} data-is="good">
        <IconCircleCheck size={22} aria-hidden="true" />
        {t('places.import.created', { count: created })}
      </p>
      <RefusedLines {...refused} />
      <div className={classes.buttons}>
        <Button component={Link} to="/places" h={48} size="md">
          {t('places.import.toPlaces')}
        </Button>
        <Button h={48} variant="default" onClick={onReset}>
          {t('places.import.another')}
        </Button>
      </div>
    </div>
  )
}

export function ImportProblem({ file, problem, refused }: { file: string; problem: Problem; refused: Refused }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <div className={classes.problem}>
      <h2>{file}</h2>
      <FormAlert>{formatProblem(t, formats, problem)}</FormAlert>
      {problem.is === 'header' && (
        <ul className={classes.columns}>
          {problem.missing.length > 0 && <li>{t('places.import.missing', { columns: problem.missing.join(', ') })}</li>}
          {problem.unexpected.length > 0 && <li>{t('places.import.unexpected', { columns: problem.unexpected.join(', ') })}</li>}
        </ul>
      )}
      <RefusedLines {...refused} />
    </div>
  )
}

function RefusedLines({ header, lines }: Refused) {
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
        {lines.map(({ line, errors, texts }) => (
          <li key={line}>
            <small>{t('places.import.line', { line: number(line) })}</small>
            {texts.length > 0 && <strong>{texts[0]}</strong>}
            {texts.slice(1).some(Boolean) && <span>{texts.slice(1).filter(Boolean).join(' · ')}</span>}
            {formatFaults(t, errors).map((words) => (
              <span key={words} className={classes.fault}>
                {words}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {lines.some(({ raw }) => raw) && (
        <Button
          variant="default"
          h={44}
          mt={12}
          leftSection={<IconDownload size={18} />}
          onClick={() => saveFile(new TextEncoder().encode(formatFile({ header, lines })), 'places-refused.csv', 'text/csv')}
        >
          {t('places.import.downloadRefused')}
        </Button>
      )}
    </>
  )
}

/** Includes the header, so that the file can be imported once it is corrected. */
const formatFile = ({ header, lines }: Refused) => `${[header, ...lines.map(({ raw }) => raw)].join('\n')}\n`

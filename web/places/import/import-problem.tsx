import { useTranslation } from 'react-i18next'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import type { Problem } from './csv-preview.ts'
import { problemWords } from './fault-words.ts'
import classes from './import.module.css'
import { RefusedLines } from './refused-lines.tsx'
import type { Refused } from './use-import.ts'

export function ImportProblem({ file, problem, lines }: { file: string; problem: Problem; lines: Refused }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <div className={classes.problem}>
      <h2>{file}</h2>
      <FormAlert>{problemWords(t, formats, problem)}</FormAlert>
      {problem.is === 'header' && (
        <ul className={classes.columns}>
          {problem.missing.length > 0 && <li>{t('places.import.missing', { columns: problem.missing.join(', ') })}</li>}
          {problem.unexpected.length > 0 && <li>{t('places.import.unexpected', { columns: problem.unexpected.join(', ') })}</li>}
        </ul>
      )}
      <RefusedLines lines={lines} />
    </div>
  )
}

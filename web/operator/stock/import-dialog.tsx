import { Button } from '@mantine/core'
import { IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { STOCK_COLUMNS, STOCK_LIMITS, STOCK_REFUSALS, type StockReport } from '#contracts/operator/stock.ts'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { stockApi } from '#web/operator/session/operator.api.ts'
import { FilePicker } from '#web/ui/form/file-picker.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import classes from './import-dialog.module.css'
import { STOCK_KEY } from './stock.queries.ts'

const COLUMNS = { required: STOCK_COLUMNS.required.join(', '), optional: STOCK_COLUMNS.optional.join(', ') }
const SAMPLE = 'identifier,serial,type,board,months,batch\n12345678-90,ABCD12345678,tracker_01,,12,2026-11\n'
const SIZE = STOCK_LIMITS.fileBytes / 1024 / 1024

/** Imports a list of trackers after a preview of what it would do. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { state, pick, save, reset } = useImport()
  const lead = state.is === 'empty' ? { lead: t('operator.stock.importLead', COLUMNS) } : {}
  return (
    <Dialog title={t('operator.stock.import')} {...lead} onClose={onClose}>
      {state.is === 'empty' && (
        <>
          <FormAlert>{state.problem}</FormAlert>
          <FilePicker
            accept=".csv,text/csv"
            label={t('operator.stock.file')}
            dropHint={t('operator.stock.drop')}
            onPick={(file) => void pick(file)}
          />
          <Button
            variant="default"
            h={44}
            leftSection={<IconDownload size={18} />}
            onClick={() => saveFile(new TextEncoder().encode(SAMPLE), 'stock.csv', 'text/csv')}
          >
            {t('operator.stock.sample')}
          </Button>
        </>
      )}
      {state.is === 'busy' && (
        <div role="status" className={classes.busy}>
          <progress aria-label={state.words} />
          {state.words}
        </div>
      )}
      {state.is === 'preview' && (
        <>
          <FormAlert>{state.problem}</FormAlert>
          <Preview {...state} onSave={() => void save(state)} onReset={reset} />
        </>
      )}
      {state.is === 'done' && <Done report={state.report} onClose={onClose} />}
    </Dialog>
  )
}

type PreviewProps = { file: File; report: StockReport; onSave: () => void; onReset: () => void }

function Preview({ file, report, onSave, onReset }: PreviewProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const hasWork = report.added + report.changed + report.completed > 0
  const counts = ['added', 'changed', 'known', 'refused'] as const
  return (
    <>
      <h3 className={classes.heading}>{file.name}</h3>
      <dl className={classes.counts}>
        {counts.map((name) => (
          <div key={name} data-bad={(name === 'refused' && report.refused > 0) || undefined}>
            <dt>{t(`operator.stock.counts.${name}`)}</dt>
            <dd>{formats.number(report[name])}</dd>
          </div>
        ))}
      </dl>
      {report.refused > 0 && <Refused report={report} />}
      {!hasWork && report.refused === 0 && <p>{t('operator.stock.nothingNew')}</p>}
      <DialogFoot>
        <Button variant="default" h={44} onClick={onReset}>
          {t('operator.stock.another')}
        </Button>
        {hasWork && (
          <Button h={44} onClick={onSave}>
            {t(report.refused > 0 ? 'operator.stock.saveGood' : 'operator.stock.save')}
          </Button>
        )}
      </DialogFoot>
    </>
  )
}

function Refused({ report: { refused, refused_lines } }: { report: StockReport }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isCut = refused > refused_lines.length
  return (
    <>
      <p>
        {t('operator.stock.refusedLead')} {isCut && t('operator.stock.firstLines', { n: formats.number(refused_lines.length) })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable with the keyboard */}
      <ul className={classes.lines} tabIndex={0} aria-label={t('operator.stock.counts.refused')}>
        {refused_lines.map(({ line, column, code, value, reason }) => {
          const known = pickListed(STOCK_REFUSALS, code, null)
          return (
            <li key={`${line} ${column}`}>
              <small>{t('operator.stock.line', { line: formats.number(line) })}</small>
              <span>{known ? t(`operator.stock.refusals.${known}`, { value: value || '–' }) : reason}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Done({ report, onClose }: { report: StockReport; onClose: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <>
      <p role="status" className={classes.success}>
        <IconCircleCheck size={20} aria-hidden="true" />
        {t('operator.stock.done', { added: formats.number(report.added), changed: formats.number(report.changed) })}
      </p>
      <DialogFoot>
        <Button h={44} onClick={onClose}>
          {t('action.close')}
        </Button>
      </DialogFoot>
    </>
  )
}

type State =
  | { is: 'empty'; problem: string | null }
  | { is: 'busy'; words: string }
  | { is: 'preview'; file: File; report: StockReport; problem: string | null }
  | { is: 'done'; report: StockReport }

/** From the choice of a file to its import. */
function useImport() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [state, setState] = useState<State>({ is: 'empty', problem: null })
  const describe = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'too_large') return t('operator.stock.tooLarge', { size: SIZE })
    return error.fields.file ? t('operator.stock.notAList', COLUMNS) : t(wordsOf(error))
  }
  const pick = async (file: File) => {
    if (file.size > STOCK_LIMITS.fileBytes) return setState({ is: 'empty', problem: t('operator.stock.tooLarge', { size: SIZE }) })
    setState({ is: 'busy', words: t('operator.stock.reading') })
    try {
      setState({ is: 'preview', file, report: await stockApi.preview({ body: file }), problem: null })
    } catch (error) {
      setState({ is: 'empty', problem: describe(error) })
    }
  }
  const save = async ({ file, report }: { file: File; report: StockReport }) => {
    setState({ is: 'busy', words: t('operator.stock.saving') })
    try {
      const query = { name: file.name.slice(-100), ...(report.refused > 0 && { skip_invalid: 'true' as const }) }
      setState({ is: 'done', report: await stockApi.import({ query, body: file }) })
    } catch (error) {
      setState({ is: 'preview', file, report, problem: describe(error) })
    }
    await queries.invalidateQueries({ queryKey: STOCK_KEY })
  }
  return { state, pick, save, reset: () => setState({ is: 'empty', problem: null }) }
}

import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { IMPORT_DAMAGES, IMPORT_FAULTS, IMPORT_PROBLEMS, type Import, type ImportPreview, SkippedLine } from '#contracts/data.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { toDay } from '#web/lib/period.ts'
import { MapView } from '#web/map/map-view.tsx'
import { toPath } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { trackerService } from '#web/trackers/service.ts'
import { FilePicker } from '#web/ui/form/file-picker.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { dataApi } from './data.api.ts'
import classes from './import-dialog.module.css'

const importsQuery = (id: number) =>
  queryOptions({ queryKey: ['imports', id], queryFn: () => dataApi.list({ params: { id } }), staleTime: 0 })

const SIZE = IMPORTS.maxBytes / 1024 / 1024

export default function ImportDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const { number } = useFormats()
  const { state, pick, save, undo, reset } = useImport(device.id)
  const describe = (problem: Problem | null) => problem && describeProblem(t, number, problem)
  const lead = state.is === 'empty' ? { lead: t('history.data.lead', { size: number(SIZE) }) } : {}
  return (
    <Dialog title={t('history.data.import')} {...lead} onClose={onClose}>
      {state.is === 'empty' && (
        <>
          <FormAlert>{describe(state.problem)}</FormAlert>
          {state.problem?.lines && <SkippedLines lines={state.problem.lines} skipped={state.problem.skipped ?? 0} />}
          {state.isUndone && <Success>{t('history.data.undone')}</Success>}
          <FilePicker
            accept=".gpx,.kml,.kmz,.tcx,.fit,.geojson,.json,.csv,.rec,.txt,.zip,.gz"
            label={t('history.data.choose')}
            dropHint={t('history.data.drop')}
            onPick={(file) => void pick(file)}
          />
          <Earlier id={device.id} onUndo={(one) => void undo(one)} />
        </>
      )}
      {state.is === 'reading' && <Progress words={t('history.data.reading')} />}
      {state.is === 'preview' && (
        <>
          <FormAlert>{describe(state.problem)}</FormAlert>
          <Preview file={state.file} preview={state.preview} device={device} />
          <DialogFoot>
            <Button variant="default" h={44} onClick={reset}>
              {t('history.data.another')}
            </Button>
            <Button h={44} onClick={() => void save(state.file, state.preview)}>
              {t('history.data.save')}
            </Button>
          </DialogFoot>
        </>
      )}
      {state.is === 'saving' && (
        <Progress
          words={t('history.data.saving', { saved: number(state.progress.saved), number: number(state.progress.count) })}
          value={state.progress.saved}
          max={state.progress.count}
        />
      )}
      {state.is === 'done' && (
        <>
          <FormAlert>{describe(state.problem)}</FormAlert>
          <Success>{t('history.data.done', { number: number(state.result.added) })}</Success>
          <DialogFoot>
            <Button variant="default" h={44} onClick={() => void undo(state.result)}>
              {t('history.data.undo')}
            </Button>
            <Button h={44} onClick={onClose}>
              {t('action.close')}
            </Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  )
}

function describeProblem(t: TFunction, number: (value: number) => string, { is, line }: Problem) {
  if (is === 'general') return t('error.general')
  if (is === 'account_busy' || is === 'upload_limit') return t(`error.${is}`)
  const sentence = t(`history.data.problem.${is as 'broken'}`, { size: number(SIZE) })
  return line === null ? sentence : `${sentence} (${t('history.data.line', { line: number(line) })})`
}

const Success = ({ children }: { children: string }) => (
  <p role="status" className={classes.success}>
    <IconCircleCheck size={20} aria-hidden="true" />
    {children}
  </p>
)

const Progress = ({ words, value, max }: { words: string; value?: number; max?: number }) => (
  <div role="status" className={classes.busy}>
    <progress aria-label={words} value={value} max={max} />
    {words}
  </div>
)

function Preview({ file, preview, device }: { file: string; preview: ImportPreview; device: Device }) {
  const { count, first, last, repeated, skipped, errors, track, damage, unused = [] } = preview
  const { t } = useTranslation()
  const formats = useFormats()
  const path = useMemo(() => toPath(track), [track])
  const [start, end] = [new Date(first), new Date(last)]
  const service = trackerService(device, useNow())
  const [from, to] = [formats.dateTime(start), toDay(start) === toDay(end) ? formats.time(end) : formats.dateTime(end)]
  return (
    <>
      <h3 className={classes.heading}>{file}</h3>
      <ul className={classes.facts}>
        <li>{t('history.data.found', { number: formats.number(count) })}</li>
        <li>{t('history.range', { from, to })}</li>
        {repeated > 0 && <li>{t('history.data.repeated', { number: formats.number(repeated) })}</li>}
        {service.state === 'resting' && end >= service.since && (
          <li>{t('history.data.afterRenewal', { date: formats.date(service.since) })}</li>
        )}
        {skipped > 0 && <li data-is="bad">{t('history.data.skipped', { number: formats.number(skipped) })}</li>}
      </ul>
      {damage && (
        <FormAlert>
          {`${t(`history.data.damage.${pickListed(IMPORT_DAMAGES, damage.is, 'damaged')}`)} (${describeLine(t, formats.number, damage)})`}
        </FormAlert>
      )}
      {errors.length > 0 && <SkippedLines lines={errors} skipped={skipped} />}
      {unused.length > 0 && <p className={classes.note}>{t('history.data.unused', { names: unused.join(', ') })}</p>}
      <div className={classes.map}>
        <MapView points={track}>
          <Trace path={path} />
        </MapView>
      </div>
    </>
  )
}

const describeLine = (t: TFunction, number: (value: number) => string, { line, file }: { line: number; file?: string | undefined }) =>
  [...(file ? [file] : []), t('history.data.line', { line: number(line) })].join(', ')

function SkippedLines({ lines, skipped }: { lines: readonly SkippedLine[]; skipped: number }) {
  const { t } = useTranslation()
  const { number } = useFormats()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable with the keyboard
    <ul className={classes.errors} tabIndex={0} aria-label={t('history.data.skipped', { number: number(skipped) })}>
      {lines.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line can have several errors, and the list never changes
        <li key={index}>
          <small>{describeLine(t, number, one)}</small>
          {t(`history.data.fault.${pickListed(IMPORT_FAULTS, one.reason, 'unreadable')}`)}
        </li>
      ))}
    </ul>
  )
}

function Earlier({ id, onUndo }: { id: number; onUndo: (one: Import) => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const imports = useQuery(importsQuery(id)).data
  if (!imports?.length) return null
  return (
    <section className={classes.earlier}>
      <h3 className={classes.heading}>{t('history.data.earlier')}</h3>
      <ul className={classes.imports}>
        {imports.map((one) => (
          <li key={one.id}>
            <span>
              <b>{one.filename || one.format}</b>
              <small>
                {formats.shortDay(new Date(one.created))} · {t('history.data.found', { number: formats.number(one.added) })}
              </small>
            </span>
            <Button
              variant="default"
              h={44}
              className={classes.undo ?? ''}
              aria-label={`${t('history.data.undo')}: ${one.filename || one.format}`}
              onClick={() => onUndo(one)}
            >
              {t('history.data.undo')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

// --- from the choice of a file to its undoing ----------------------------------------------------------------------

/** The message for a problem (`history.data.problem`); `general` is the message for everything else. `lines` are the skipped ones. */
type Problem = { is: string; line: number | null; skipped?: number; lines?: readonly SkippedLine[] }

type State =
  | { is: 'empty'; problem: Problem | null; isUndone?: boolean }
  | { is: 'reading'; file: string }
  | { is: 'preview'; file: string; preview: ImportPreview; problem: Problem | null }
  | { is: 'saving'; file: string; progress: Import }
  | { is: 'done'; result: Import; problem: Problem | null }

/** An import from the choice of a file to its undoing. */
function useImport(id: number) {
  const queries = useQueryClient()
  const [state, setState] = useState<State>({ is: 'empty', problem: null })

  const pick = async (file: File) => {
    if (file.size > IMPORTS.maxBytes) return setState({ is: 'empty', problem: { is: 'too_large', line: null } })
    setState({ is: 'reading', file: file.name })
    try {
      const query = { filename: file.name.slice(-IMPORTS.filename) }
      const preview = await dataApi.create({ params: { id }, query, body: file })
      setState({ is: 'preview', file: file.name, preview, problem: null })
    } catch (error) {
      setState({ is: 'empty', problem: toProblem(error) })
    }
  }

  const save = async (file: string, preview: ImportPreview) => {
    let progress: Import = preview
    setState({ is: 'saving', file, progress })
    try {
      while (progress.state !== 'saved') {
        progress = await dataApi.commit({ params: { id, import: preview.id } })
        setState({ is: 'saving', file, progress })
      }
      setState({ is: 'done', result: progress, problem: null })
    } catch (error) {
      setState({ is: 'preview', file, preview, problem: toProblem(error) })
    }
    await queries.invalidateQueries()
  }

  const undo = async (result: Import) => {
    try {
      await dataApi.undo({ params: { id, import: result.id } })
      setState({ is: 'empty', problem: null, isUndone: true })
    } catch (error) {
      setState({ is: 'done', result, problem: toProblem(error) })
    }
    await queries.invalidateQueries()
  }

  return { state, pick, save, undo, reset: () => setState({ is: 'empty', problem: null }) }
}

const TOO_MUCH = ['too_deep', 'too_complex', 'too_many']
/** Reported with a line number, which helps to find the problem. */
const OF_LINE = ['broken', 'forbidden']

function toProblem(error: unknown): Problem {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'too_large' || error.code === 'account_busy' || error.code === 'upload_limit') return { is: error.code, line: null }
  const reason = error.fields.file?.[0] ?? ''
  const line = typeof error.extras.line === 'number' ? error.extras.line : null
  if (TOO_MUCH.includes(reason)) return { is: 'too_much', line }
  const isKnown = IMPORT_PROBLEMS.some((problem) => problem === reason)
  const { data: lines = [] } = z.array(SkippedLine).safeParse(error.extras.lines)
  const skipped = typeof error.extras.skipped === 'number' ? error.extras.skipped : lines.length
  return { is: isKnown ? reason : 'general', line: OF_LINE.includes(reason) ? line : null, ...(lines.length > 0 && { skipped, lines }) }
}

import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Import, ImportPreview } from '#contracts/data.ts'
import { IMPORT_FAULTS, IMPORTS, pickListed } from '#contracts/lib/constants.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { toDay } from '#web/history/track/period.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { MapView } from '#web/map/map-view.tsx'
import { toPath } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { FilePicker } from '#web/ui/form/file-picker.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { dataApi } from './data.api.ts'
import classes from './import-dialog.module.css'
import { type Problem, useImport } from './use-import.ts'

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
          {state.isUndone && <Success>{t('history.data.undone')}</Success>}
          <FilePicker
            accept=".gpx,.kml,.geojson,.json,.csv,.rec,.txt"
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
          <Preview file={state.file} preview={state.preview} />
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

function Preview({ file, preview: { count, first, last, repeated, skipped, errors, track } }: { file: string; preview: ImportPreview }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const path = useMemo(() => toPath(track), [track])
  const [start, end] = [new Date(first), new Date(last)]
  const [from, to] = [formats.dateTime(start), toDay(start) === toDay(end) ? formats.time(end) : formats.dateTime(end)]
  return (
    <>
      <h3 className={classes.heading}>{file}</h3>
      <ul className={classes.facts}>
        <li>{t('history.data.found', { number: formats.number(count) })}</li>
        <li>{t('history.range', { from, to })}</li>
        {repeated > 0 && <li>{t('history.data.repeated', { number: formats.number(repeated) })}</li>}
        {skipped > 0 && <li data-is="bad">{t('history.data.skipped', { number: formats.number(skipped) })}</li>}
      </ul>
      <div className={classes.map}>
        <MapView points={track}>
          <Trace path={path} />
        </MapView>
      </div>
      {errors.length > 0 && (
        <ul className={classes.errors} aria-label={t('history.data.skipped', { number: formats.number(skipped) })}>
          {errors.map(({ line, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line can have several errors, and the list never changes
            <li key={index}>
              <small>{t('history.data.line', { line: formats.number(line) })}</small>
              {t(`history.data.fault.${pickListed(IMPORT_FAULTS, reason, 'unreadable')}`)}
            </li>
          ))}
        </ul>
      )}
    </>
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

import { Button } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './save-bar.module.css'

type Part = { isDirty: boolean; isBusy: boolean; save: () => void }

const Report = createContext<(id: string, part: Part | null) => void>(() => undefined)

type Props = { onDirty?: (isDirty: boolean) => void; onDiscard: () => void; children: ReactNode }

/** One button that saves all changed forms of its content; shown while there is something to save. */
export function SaveBar({ onDirty, onDiscard, children }: Props) {
  const { t } = useTranslation()
  const [parts, setParts] = useState<ReadonlyMap<string, Part>>(new Map())
  const [report] = useState(() => (id: string, part: Part | null) => {
    setParts((before) => {
      const next = new Map(before)
      if (part) next.set(id, part)
      else next.delete(id)
      return next
    })
  })
  const all = [...parts.values()]
  const isBusy = all.some((part) => part.isBusy)
  const isDirty = all.some((part) => part.isDirty)
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  const bar = useRef<HTMLDivElement>(null)
  // The field that was just changed stays in view above the bar.
  useEffect(() => {
    const field = document.activeElement
    if (!isDirty || !field || !bar.current) return
    if (field.getBoundingClientRect().bottom > bar.current.getBoundingClientRect().top) field.scrollIntoView?.({ block: 'center' })
  }, [isDirty])
  return (
    <Report value={report}>
      {children}
      {(isDirty || isBusy) && (
        <div ref={bar} className={classes.bar}>
          <p role="status">{t('form.unsaved')}</p>
          <Button variant="default" h={44} disabled={isBusy} onClick={onDiscard}>
            {t('action.discard')}
          </Button>
          <Button h={44} loading={isBusy} onClick={() => all.filter((part) => part.isDirty).map(({ save }) => save())}>
            {t('action.save')}
          </Button>
        </div>
      )}
    </Report>
  )
}

/** Lets the bar save what surrounds it: the form, or what `save` does. Enter submits the form as well. */
export function SavePart({ isDirty, isBusy, save }: { isDirty: boolean; isBusy: boolean; save?: () => void }) {
  const report = useContext(Report)
  const id = useId()
  const submit = useRef<HTMLButtonElement>(null)
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    report(id, { isDirty, isBusy, save: () => (latest.current ? latest.current() : submit.current?.form?.requestSubmit()) })
  }, [report, id, isDirty, isBusy])
  useEffect(() => () => report(id, null), [report, id])
  return save ? null : <button ref={submit} type="submit" hidden aria-hidden="true" tabIndex={-1} />
}

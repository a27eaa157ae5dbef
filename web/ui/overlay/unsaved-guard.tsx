import { Button } from '@mantine/core'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router-dom'
import { createDraft, isDetour } from '#web/ui/form/drafts.ts'
import { useDetails } from '#web/ui/lists/split.tsx'
import classes from './confirm-dialog.module.css'
import { Dialog, DialogClosing, DialogFoot } from './dialog.tsx'

/**
 * Asks before unsent input is lost by a link, the back button, or closing the tab or dialog. Inside a form it also saves a draft when an
 * error leads to another page.
 */
export function UnsavedGuard({ isDirty, isPublic = false }: { isDirty: boolean; isPublic?: boolean }) {
  const mark = useRef<HTMLSpanElement>(null)
  const draft = useRef<ReturnType<typeof createDraft>>(null)
  const isTyped = useRef(false)
  useLayoutEffect(() => {
    const form = mark.current?.closest('form')
    if (!form) return
    const saved = createDraft(form, isPublic)
    draft.current = saved
    return () => {
      saved.end()
      if (isTyped.current && isDetour(window.location.pathname, isPublic)) saved.keep()
    }
  }, [isPublic])
  useEffect(() => {
    if (!isDirty) return
    isTyped.current = true
    void draft.current?.begin()
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
  const forget = () => {
    isTyped.current = false
  }
  return (
    <>
      <span ref={mark} hidden />
      {isDirty && <ExitGuards isDetour={(pathname) => isDetour(pathname, isPublic)} onDiscard={forget} />}
    </>
  )
}

/** Blocks navigation and closing of the surrounding dialog. */
function ExitGuards({ isDetour, onDiscard }: { isDetour: (pathname: string) => boolean; onDiscard: () => void }) {
  const dialog = useContext(DialogClosing)
  const [isClosing, setClosing] = useState(false)
  // In the details of a split screen another entry has the same path.
  const isDetails = useDetails() !== null
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      (from.pathname !== to.pathname || (isDetails && from.search !== to.search)) && !isDetour(to.pathname),
  )
  const ask = dialog?.ask
  useEffect(() => {
    if (!ask) return
    ask.current = () => setClosing(true)
    return () => {
      ask.current = null
    }
  }, [ask])
  const discard = (leave: () => void) => () => {
    onDiscard()
    leave()
  }
  if (blocker.state === 'blocked') return <UnsavedDialog onStay={blocker.reset} onDiscard={discard(blocker.proceed)} />
  return isClosing && dialog && <UnsavedDialog onStay={() => setClosing(false)} onDiscard={discard(dialog.close)} />
}

function UnsavedDialog({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('form.unsaved')} onClose={onStay}>
      <p className={classes.text}>{t('form.unsavedLead')}</p>
      <DialogFoot>
        <Button variant="default" h={44} onClick={onDiscard}>
          {t('action.discard')}
        </Button>
        <Button h={44} onClick={onStay}>
          {t('action.stay')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

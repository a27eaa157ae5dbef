import { IconChevronDown, IconMapPinOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MARK_MAX_POSITIONS } from '#contracts/positions.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { withMarks } from '#contracts/track/marks.ts'
import { timeWords } from '#web/history/track/track-words.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import type { Bounds } from '#web/lib/period.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { countPositions, type Doubt, isKept } from './doubts.ts'
import classes from './wrong-positions.module.css'

type Props = {
  device: number
  doubts: readonly Doubt[]
  bounds: Bounds
  isShown: boolean
  chosen: Doubt | null
  onShow: (isShown: boolean) => void
  /** Shows the positions of a row on the map, or the whole track for null. */
  onChoose: (doubt: Doubt | null) => void
}

/** Shows how many positions look wrong. Expanded, it lists them with the reason, and each can be restored. */
export function WrongPositions({ doubts, isShown, onShow, ...list }: Props) {
  const { t } = useTranslation()
  if (doubts.length === 0) return null
  const wrong = countPositions(doubts.filter((doubt) => !isKept(doubt)))
  const text = wrong > 0 ? t('history.wrong.count', { count: wrong }) : t('history.wrong.keptCount', { count: countPositions(doubts) })
  return (
    <section className={classes.wrong}>
      <button type="button" className={classes.line} aria-expanded={isShown} onClick={() => onShow(!isShown)}>
        <IconMapPinOff size={16} aria-hidden="true" />
        <span>{text}</span>
        <b>{isShown ? t('history.wrong.hide') : t('history.wrong.show')}</b>
        <IconChevronDown size={16} aria-hidden="true" />
      </button>
      {isShown && <WrongList doubts={doubts} {...list} />}
    </section>
  )
}

const PAGE_SIZE = 50

function WrongList({ device, doubts, bounds, chosen, onChoose }: Omit<Props, 'isShown' | 'onShow'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const mayChange = useHasRight('changeTrackers')
  const canChange = useFeature('marks') && mayChange
  const { toggle, isBusy, hasFailed } = useChangeMarks(device)
  const [shown, setShown] = useState(PAGE_SIZE)
  return (
    <>
      <p className={classes.lead}>{t('history.wrong.lead')}</p>
      <ul className={classes.rows} aria-label={t('history.wrong.list')}>
        {doubts.slice(0, shown).map((doubt) => {
          const time = spanWords(formats, doubt, bounds)
          const action = isKept(doubt) ? t('history.wrong.leaveOut') : t('history.wrong.use')
          return (
            <li key={doubt.ids[0]} data-kept={isKept(doubt) || undefined}>
              <button
                type="button"
                className={classes.what}
                aria-pressed={doubt === chosen}
                onClick={() => onChoose(doubt === chosen ? null : doubt)}
              >
                <b>{time}</b>
                <small>
                  <Reason mark={doubt.mark} />
                  {doubt.ids.length > 1 && ` · ${t('history.wrong.positions', { count: doubt.ids.length })}`}
                </small>
              </button>
              {canChange && (
                <button
                  type="button"
                  className={classes.use}
                  aria-label={`${action}: ${time}`}
                  disabled={isBusy}
                  onClick={() => toggle(doubt)}
                >
                  {action}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {shown < doubts.length && (
        <button type="button" className={classes.more} onClick={() => setShown(shown + PAGE_SIZE)}>
          {t('history.points.more')}
        </button>
      )}
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
    </>
  )
}

/** Another backend may have other reasons. */
function Reason({ mark }: { mark: string }) {
  const { t } = useTranslation()
  const known = POSITION_MARKS.find((one) => one === mark)
  return known ? t(`history.wrong.reason.${known}`) : t('history.wrong.reason.other')
}

const spanWords = (formats: Formats, { first, last }: Doubt, bounds: Bounds) => {
  const [from, to] = [timeWords(formats, first, bounds), timeWords(formats, last, bounds)]
  return from === to ? from : `${from} – ${to}`
}

type Change = {
  ids: readonly number[]
  mark: 'kept' | null
  /** The mark shown until the server has responded; without it the old one stays. */
  shown?: string
  /** Reverts this change; omitted for an undo. */
  undo?: Change
}

/** Restores positions that look wrong, shown at once, or excludes them again. The toast offers to undo it. */
function useChangeMarks(device: number) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const queryKey = trackerKeys.trackerTraces(device)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ ids, mark }: Change) => {
      for (let first = 0; first < ids.length; first += MARK_MAX_POSITIONS) {
        const positions = ids.slice(first, first + MARK_MAX_POSITIONS)
        await positionsApi.changeMarks({ params: { id: device }, body: { positions, mark } })
      }
    },
    onMutate: async ({ ids, shown }) => {
      if (shown === undefined) return []
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueriesData<PositionColumns>({ queryKey })
      const marks = new Map(ids.map((id) => [id, shown]))
      queries.setQueriesData<PositionColumns>({ queryKey }, (known) => known && withMarks(known, marks))
      return before
    },
    onError: (_, __, before) => {
      for (const [key, positions] of before ?? []) queries.setQueryData(key, positions)
    },
    onSuccess: (_, { mark, undo }) => {
      showToast(mark === 'kept' ? t('history.wrong.used') : t('history.wrong.leftOut'), undo && (() => mutate(undo)))
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return {
    /** Restores positions that look wrong, or excludes restored ones again. */
    toggle: (doubt: Doubt) => {
      const { ids, mark } = doubt
      const keep: Change = { ids, mark: 'kept', shown: 'kept' }
      // Only the server knows why the positions looked wrong.
      if (isKept(doubt)) mutate({ ids, mark: null, undo: keep })
      else mutate({ ...keep, undo: { ids, mark: null, shown: mark } })
    },
    isBusy: isPending,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}

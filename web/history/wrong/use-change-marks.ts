import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MARK_MAX_POSITIONS } from '#contracts/lib/constants.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { withMarks } from '#contracts/track/marks.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.ts'
import { type Doubt, isKept } from './doubts.ts'

type Change = {
  ids: readonly number[]
  mark: 'kept' | null
  /** The mark shown until the server has responded; without it the old one stays. */
  shown?: string
  /** Undoes this change; left out for an undo. */
  undo?: Change
}

/** Uses positions that look wrong, shown at once, or leaves them out again. The toast offers to undo it. */
export function useChangeMarks(device: number) {
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
    /** Uses positions that look wrong, or leaves out those that are used although they look wrong. */
    toggle: (doubt: Doubt) => {
      const { ids, mark } = doubt
      const keep: Change = { ids, mark: 'kept', shown: 'kept' }
      // Only the server knows why they looked wrong.
      if (isKept(doubt)) mutate({ ids, mark: null, undo: keep })
      else mutate({ ...keep, undo: { ids, mark: null, shown: mark } })
    },
    isBusy: isPending,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}

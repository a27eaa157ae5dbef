import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { LineErrors } from '#contracts/lib/errors.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { placesApi } from '#web/places/places.api.ts'
import { placeKeys } from '#web/places/places.queries.ts'
import { type PreviewRow, type Problem, previewFile } from './csv-preview.ts'

export type RefusedLine = readonly LineErrors[]

type State =
  | { is: 'empty' }
  | { is: 'refused'; file: File; problem: Problem; lines: RefusedLine }
  | { is: 'picked' | 'sending'; file: File; rows: readonly PreviewRow[]; bad: number; problem: Problem | null }
  | { is: 'done'; created: number; lines: RefusedLine }

export function useImport() {
  const queries = useQueryClient()
  const [state, setState] = useState<State>({ is: 'empty' })
  const picks = useRef(0)

  const pick = async (file: File) => {
    const pickNumber = ++picks.current
    const preview = await previewFile(file)
    // A newer pick wins over one whose file is still being read.
    if (pickNumber !== picks.current) return
    setState(
      'problem' in preview
        ? { is: 'refused', file, problem: preview.problem, lines: [] }
        : { is: 'picked', file, ...preview, problem: null },
    )
  }

  const send = async () => {
    if (state.is !== 'picked') return
    const { file } = state
    setState({ ...state, is: 'sending', problem: null })
    try {
      const { created, errors } = await placesApi.importCsv({ body: file })
      setState({ is: 'done', created: created.length, lines: errors })
      await queries.invalidateQueries({ queryKey: placeKeys.all })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const problem = toProblem(error)
      // After a general error the file may still be valid, so it can be sent again.
      if (problem.is === 'general') return setState({ ...state, problem: error.isLeaving ? null : problem })
      setState({ is: 'refused', file, problem, lines: parseLineErrors(error.extras.lines) })
    }
  }

  return { state, pick, send, reset: () => setState({ is: 'empty' }) }
}

function toProblem({ code, extras }: ApiError): Problem {
  if (code === 'csv_header') return { is: 'header', missing: parseTexts(extras.missing), unexpected: parseTexts(extras.unexpected) }
  if (code === 'too_many_rows') return { is: 'tooManyRows' }
  if (code === 'too_large') return { is: 'tooLarge' }
  if (code === 'limit_reached') return { is: 'tooManyPlaces' }
  if (code === 'no_good_row') return { is: 'noGoodRow' }
  return { is: code === 'validation_error' ? 'notText' : 'general' }
}

const parseTexts = (extra: unknown) => z.array(z.string()).safeParse(extra).data ?? []
const parseLineErrors = (extra: unknown) => z.array(LineErrors).safeParse(extra).data ?? []

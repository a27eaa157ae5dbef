import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { LineErrors } from '#contracts/lib/errors.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { placeKeys, placesApi } from '#web/places/places.queries.ts'
import { blankRows, type PreviewRow, type Problem, previewFile } from './csv-preview.ts'

/** The rejected rows, unchanged, below the file's header. */
export type Refused = { header: string; lines: readonly (LineErrors & { texts: readonly string[]; raw: string })[] }

const NONE: Refused = { header: '', lines: [] }

const findRows = (errors: readonly LineErrors[], { header, rows }: { header: string; rows: readonly PreviewRow[] }): Refused => {
  const byLine = new Map(rows.map((row) => [row.line, row]))
  return {
    header,
    lines: errors.map((each) => ({ ...each, texts: byLine.get(each.line)?.texts ?? [], raw: byLine.get(each.line)?.raw ?? '' })),
  }
}

type State =
  | { is: 'empty' }
  | { is: 'refused'; file: File; problem: Problem; refused: Refused }
  | {
      is: 'picked' | 'sending'
      file: File
      text: string
      header: string
      rows: readonly PreviewRow[]
      bad: number
      problem: Problem | null
    }
  | { is: 'done'; created: number; refused: Refused }

export function useImport() {
  const queries = useQueryClient()
  const [state, setState] = useState<State>({ is: 'empty' })
  const picks = useRef(0)

  const pick = async (file: File) => {
    const pickNumber = ++picks.current
    const preview = await previewFile(file)
    // A newer pick takes precedence over one whose file is still being read.
    if (pickNumber !== picks.current) return
    setState(
      'problem' in preview
        ? { is: 'refused', file, problem: preview.problem, refused: NONE }
        : { is: 'picked', file, ...preview, problem: null },
    )
  }

  const send = async (leftOut: readonly PreviewRow[]) => {
    if (state.is !== 'picked') return
    const { file, text } = state
    setState({ ...state, is: 'sending', problem: null })
    try {
      const { created, errors } = await placesApi.importCsv({
        body: leftOut.length > 0 ? new Blob([blankRows(text, leftOut)], { type: 'text/csv' }) : file,
      })
      setState({ is: 'done', created: created.length, refused: findRows(errors, state) })
      await queries.invalidateQueries({ queryKey: placeKeys.all })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const problem = toProblem(error)
      // After these errors the file may still be valid, so it can be sent again.
      if (problem.is === 'general' || problem.is === 'account_busy' || problem.is === 'upload_limit')
        return setState({ ...state, problem: error.isLeaving ? null : problem })
      setState({ is: 'refused', file, problem, refused: findRows(parseLineErrors(error.extras.lines), state) })
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
  if (code === 'account_busy' || code === 'upload_limit') return { is: code }
  return { is: code === 'validation_error' ? 'notText' : 'general' }
}

const parseTexts = (extra: unknown) => z.array(z.string()).safeParse(extra).data ?? []
const parseLineErrors = (extra: unknown) => z.array(LineErrors).safeParse(extra).data ?? []

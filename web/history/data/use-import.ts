import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Import, ImportPreview } from '#contracts/data.ts'
import { IMPORTS } from '#contracts/lib/constants.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { dataApi } from './data.api.ts'

/** The words of a problem (`history.data.problem`); `general` is the sentence for everything else. */
export type Problem = { is: string; line: number | null }

type State =
  | { is: 'empty'; problem: Problem | null; isUndone?: boolean }
  | { is: 'reading'; file: string }
  | { is: 'preview'; file: string; preview: ImportPreview; problem: Problem | null }
  | { is: 'saving'; file: string; progress: Import }
  | { is: 'done'; result: Import; problem: Problem | null }

/** An import from the choice of a file to its undoing. */
export function useImport(id: number) {
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
/** Known by the whole file, not by one of its lines. */
const WHOLE = 'unknown_format'
const KNOWN = [WHOLE, 'broken', 'forbidden', 'empty']

function toProblem(error: unknown): Problem {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'too_large' || error.code === 'account_busy' || error.code === 'upload_limit') return { is: error.code, line: null }
  const reason = error.fields.file?.[0] ?? ''
  const line = typeof error.extras.line === 'number' ? error.extras.line : null
  if (TOO_MUCH.includes(reason)) return { is: 'too_much', line }
  return { is: KNOWN.includes(reason) ? reason : 'general', line: KNOWN.includes(reason) && reason !== WHOLE ? line : null }
}

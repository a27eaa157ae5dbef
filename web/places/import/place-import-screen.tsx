import { useTranslation } from 'react-i18next'
import { CSV_MAX_ROWS } from '#contracts/lib/constants.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { ReadOnlyNote, useMayChangePlaces } from '#web/places/edit/may-change-places.tsx'
import { Page } from '#web/ui/page.tsx'
import { FilePicker } from './file-picker.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportProblem, ImportResult } from './import-result.tsx'
import { useImport } from './use-import.ts'

export default function PlaceImportScreen() {
  const { t } = useTranslation()
  const formats = useFormats()
  const may = useMayChangePlaces()
  const { state, pick, send, reset } = useImport()
  return (
    <Page
      isNarrow
      title={t('title.placeImport')}
      back={{ to: '/places', label: t('title.places') }}
      lead={t('places.import.lead', { rows: formats.number(CSV_MAX_ROWS) })}
    >
      {may === false && <ReadOnlyNote />}
      {state.is === 'refused' && <ImportProblem file={state.file.name} problem={state.problem} refused={state.refused} />}
      {(state.is === 'empty' || state.is === 'refused') && may !== false && <FilePicker onPick={(file) => void pick(file)} />}
      {(state.is === 'picked' || state.is === 'sending') && (
        <ImportPreview
          file={state.file.name}
          rows={state.rows}
          bad={state.bad}
          problem={state.problem}
          isSending={state.is === 'sending'}
          onSend={() => void send()}
          onReset={reset}
        />
      )}
      {state.is === 'done' && <ImportResult created={state.created} refused={state.refused} onReset={reset} />}
    </Page>
  )
}

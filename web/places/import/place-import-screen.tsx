import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CSV_MAX_ROWS } from '#contracts/places.ts'
import { PLACE_TYPES } from '#contracts/rules/geo/place.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { ReadOnlyNote, useMayChangePlaces } from '#web/places/edit/may-change-places.tsx'
import { FilePicker } from '#web/ui/form/file-picker.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './import.module.css'
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
      {(state.is === 'empty' || state.is === 'refused') && may !== false && <FileChoice onPick={(file) => void pick(file)} />}
      {(state.is === 'picked' || state.is === 'sending') && (
        <ImportPreview
          file={state.file.name}
          rows={state.rows}
          bad={state.bad}
          problem={state.problem}
          isSending={state.is === 'sending'}
          onSend={(leftOut) => void send(leftOut)}
          onReset={reset}
        />
      )}
      {state.is === 'done' && <ImportResult created={state.created} refused={state.refused} onReset={reset} />}
    </Page>
  )
}

const SAMPLE = 'name,address,type\nOffice,18 de Julio 1360,work\n"Shop, main entrance",Ellauri 350,store\n'

function FileChoice({ onPick }: { onPick: (file: File) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <FilePicker accept=".csv,text/csv" label={t('places.import.choose')} dropHint={t('places.import.drop')} onPick={onPick} />
      <p className={classes.types}>{t('places.import.types', { types: PLACE_TYPES.join(', ') })}</p>
      <p className={classes.types}>{t('places.import.borders')}</p>
      <Button
        variant="default"
        h={44}
        leftSection={<IconDownload size={18} />}
        onClick={() => saveFile(new TextEncoder().encode(SAMPLE), 'places.csv', 'text/csv')}
      >
        {t('places.import.sample')}
      </Button>
    </>
  )
}

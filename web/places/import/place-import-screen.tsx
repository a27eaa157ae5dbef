import { Button } from '@mantine/core'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CSV_MAX_ROWS, PLACE_TYPES } from '#contracts/lib/constants.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { ReadOnlyNote, useMayChangePlaces } from '#web/places/edit/may-change-places.tsx'
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

const SAMPLE = 'name,address,type\nOffice,18 de Julio 1360,work\n"Shop, main entrance",Ellauri 350,store\n'

function FilePicker({ onPick }: { onPick: (file: File) => void }) {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onPick(file)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type === 'dragover')
  }
  return (
    <>
      <label
        className={classes.picker}
        data-over={isOver || undefined}
        onDragOver={over}
        onDragLeave={over}
        onDrop={(event) => {
          over(event)
          take(event.dataTransfer.files)
        }}
      >
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ target }) => {
            take(target.files)
            // Allows picking the same file again after it was corrected.
            target.value = ''
          }}
        />
        <IconFileUpload size={32} aria-hidden="true" />
        <strong>{t('places.import.choose')}</strong>
        <span className={classes.drop}>{t('places.import.drop')}</span>
      </label>
      <p className={classes.types}>{t('places.import.types', { types: PLACE_TYPES.join(', ') })}</p>
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

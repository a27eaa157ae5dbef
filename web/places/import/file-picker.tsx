import { Button } from '@mantine/core'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLACE_TYPES } from '#contracts/lib/constants.ts'
import { saveFile } from '#web/lib/api/download.ts'
import classes from './import.module.css'

const SAMPLE = 'name,address,type\nOffice,18 de Julio 1360,work\n"Shop, main entrance",Ellauri 350,store\n'

export function FilePicker({ onPick }: { onPick: (file: File) => void }) {
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

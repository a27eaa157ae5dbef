import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import classes from './file-picker.module.css'

type Props = {
  /** Extensions or media types, as in the attribute of an input. */
  accept: string
  label: string
  /** A note that a file can be dropped; hidden without a pointer to drop it with. */
  dropHint: string
  onPick: (file: File) => void
}

/** A field for one file, which is chosen or dropped. */
export function FilePicker({ accept, label, dropHint, onPick }: Props) {
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
        accept={accept}
        onChange={({ target }) => {
          take(target.files)
          // Allows picking the same file again after it was corrected.
          target.value = ''
        }}
      />
      <IconFileUpload size={32} aria-hidden="true" />
      <strong>{label}</strong>
      <span className={classes.drop}>{dropHint}</span>
    </label>
  )
}

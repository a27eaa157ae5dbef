import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from './import.module.css'
import { RefusedLines } from './refused-lines.tsx'
import type { Refused } from './use-import.ts'

export function ImportResult({ created, lines, onReset }: { created: number; lines: Refused; onReset: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.preview}>
      <p role="status" className={classes.count} data-is="good">
        <IconCircleCheck size={22} aria-hidden="true" />
        {t('places.import.created', { count: created })}
      </p>
      <RefusedLines lines={lines} />
      <div className={classes.buttons}>
        <Button component={Link} to="/places" h={48} size="md">
          {t('places.import.toPlaces')}
        </Button>
        <Button h={48} variant="default" onClick={onReset}>
          {t('places.import.another')}
        </Button>
      </div>
    </div>
  )
}

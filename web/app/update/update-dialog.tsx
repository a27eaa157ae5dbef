import { Button } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { update } from './update.ts'
import classes from './update-dialog.module.css'

export default function UpdateDialog() {
  const { t } = useTranslation()
  const title = useId()
  return (
    <div role="dialog" aria-labelledby={title} className={classes.dialog}>
      <h2 id={title} className={classes.title}>
        {t('update.heading')}
      </h2>
      <p className={classes.text}>{t('update.lead')}</p>
      <div className={classes.actions}>
        <Button onClick={() => location.reload()}>{t('action.reload')}</Button>
        <Button variant="default" onClick={update.later}>
          {t('action.later')}
        </Button>
      </div>
    </div>
  )
}

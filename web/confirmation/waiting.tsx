import { useTranslation } from 'react-i18next'
import classes from './waiting.module.css'

export const Waiting = () => (
  <p role="status" className={classes.waiting}>
    <span className={classes.spinner} aria-hidden="true" />
    {useTranslation().t('account.confirmation.waiting')}
  </p>
)

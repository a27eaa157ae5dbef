import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from './selector.module.css'

/** Of a professional account nothing is sold here; support helps. */
export function ProNote() {
  const { t } = useTranslation()
  return (
    <p className={classes.pro}>
      {t('subscriptions.pro')} <Link to="/contact_us">{t('nav.help')}</Link>
    </p>
  )
}

import { useTranslation } from 'react-i18next'
import classes from './place-form.module.css'

export const ReadOnly = () => <p className={classes.readOnly}>{useTranslation().t('places.readOnly')}</p>

import { useTranslation } from 'react-i18next'
import classes from './place-form.module.css'

/** Why nothing here can be changed (C-48). */
export const ReadOnly = () => <p className={classes.readOnly}>{useTranslation().t('places.readOnly')}</p>

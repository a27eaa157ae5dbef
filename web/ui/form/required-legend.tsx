import { useTranslation } from 'react-i18next'
import classes from './required-legend.module.css'

export const RequiredLegend = () => <p className={classes.legend}>{useTranslation().t('form.required')}</p>

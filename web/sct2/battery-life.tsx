import { IconBattery3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { batteryLife } from '#contracts/rules/battery-life.ts'
import classes from './sct2.module.css'

/** Estimated battery life in months; empty for a frequency that is not allowed. */
export function BatteryLife({ frequency }: { frequency: number | null }) {
  const { t } = useTranslation()
  const life = frequency === null ? null : batteryLife(frequency)
  return (
    <output className={classes.life}>
      {life && (
        <>
          <IconBattery3 size={22} aria-hidden="true" />
          <span>
            <small>{t('settings.sct2.life')}</small>
            <strong>{t('settings.sct2.months', { min: life.min, count: life.max })}</strong>
          </span>
        </>
      )}
    </output>
  )
}

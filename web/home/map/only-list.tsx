import { useTranslation } from 'react-i18next'
import classes from './only-list.module.css'

/** Whether the map shows only the trackers that match the filters of the list. */
export default function OnlyList({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation()
  return (
    <label className={classes.only}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {t('map.onlyList')}
    </label>
  )
}

import { IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MapTool } from '#web/lib/map/map-tools.tsx'
import classes from './layers-button.module.css'

export const LAYERS = { names: false, accuracy: true, trace: true }
type Layers = typeof LAYERS

const KEYS = ['names', 'accuracy', 'trace'] as const

/** What is drawn besides the pins; the list closes when the focus leaves it. */
export function LayersButton({ layers, onChange }: { layers: Layers; onChange: (layers: Layers) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <fieldset
      className={classes.around}
      aria-label={t('map.layers')}
      onBlur={({ relatedTarget, currentTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <MapTool label={t('map.layers')} isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconStack2 size={20} />
      </MapTool>
      {isOpen && (
        <ul className={classes.layers} tabIndex={-1}>
          {KEYS.map((key) => (
            <li key={key}>
              <label>
                <input type="checkbox" checked={layers[key]} onChange={({ target }) => onChange({ ...layers, [key]: target.checked })} />
                {t(`map.${key}`)}
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

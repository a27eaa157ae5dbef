import '@mantine/core/styles/Popover.css'
import { Popover } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MapTool } from '#web/lib/map/map-tools.tsx'
import classes from './layers-button.module.css'

export const LAYERS = { names: false, accuracy: true, trace: true }
export type Layers = typeof LAYERS

const KEYS = ['names', 'accuracy', 'trace'] as const

/** What is drawn besides the pins. */
export function LayersButton({ layers, onChange }: { layers: Layers; onChange: (layers: Layers) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover position="left-end" opened={isOpen} onChange={setOpen} radius="md" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <span>
          <MapTool label={t('map.layers')} onClick={() => setOpen(!isOpen)}>
            <IconStack2 size={20} />
          </MapTool>
        </span>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('map.layers')}>
        <ul className={classes.layers}>
          {KEYS.map((key) => (
            <li key={key}>
              <label>
                <input type="checkbox" checked={layers[key]} onChange={({ target }) => onChange({ ...layers, [key]: target.checked })} />
                {t(`map.${key}`)}
              </label>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo.ts'
import { showAll } from './camera.ts'
import { useStage } from './map-context.ts'
import classes from './map-tools.module.css'

type Props = {
  points: readonly LatLng[]
  /** What "everything" is; without it all trackers. */
  label?: string
  children?: ReactNode
}

/** Closer, further and everything, at the corner of the map; more buttons are its children. */
export function MapTools({ points, label, children }: Props) {
  const { t } = useTranslation()
  const { map, padding } = useStage()
  return (
    <div className={classes.tools}>
      {children}
      <MapTool label={label ?? t('map.showAll')} onClick={() => showAll(map, points, padding)} isDisabled={points.length === 0}>
        <IconFocusCentered size={20} />
      </MapTool>
      <MapTool label={t('map.zoomIn')} onClick={() => map.zoomIn()}>
        <IconPlus size={20} />
      </MapTool>
      <MapTool label={t('map.zoomOut')} onClick={() => map.zoomOut()}>
        <IconMinus size={20} />
      </MapTool>
    </div>
  )
}

type ToolProps = { label: string; onClick: () => void; children: ReactNode; isDisabled?: boolean; isExpanded?: boolean }

export const MapTool = ({ label, onClick, children, isDisabled, isExpanded }: ToolProps) => (
  <button
    type="button"
    className={classes.tool}
    aria-label={label}
    title={label}
    aria-expanded={isExpanded}
    disabled={isDisabled}
    onClick={onClick}
  >
    {children}
  </button>
)

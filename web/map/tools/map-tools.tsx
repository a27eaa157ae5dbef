import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { showAll } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { MapTool } from './map-tool.tsx'
import classes from './map-tools.module.css'

const MoreTools = lazy(async () => (await Promise.all([import('./more-tools.tsx'), loadWords(['extras'])]))[0])

type Props = {
  points: readonly LatLng[]
  /** Label of the button that shows all points; "Show all trackers" by default. */
  label?: string
  children?: ReactNode
}

/** Zoom buttons and "show all" in the corner of the map; further tools are loaded once the map is rendered. */
export function MapTools({ points, label, children = <MoreTools /> }: Props) {
  const { t } = useTranslation()
  const { map, padding } = useMapStage()
  return (
    <div className={classes.tools}>
      <Suspense>{children}</Suspense>
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

import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Stage } from '#web/history/playback/stage.tsx'
import { MapTools } from '#web/map/map-tools.tsx'
import { MapView } from '#web/map/map-view.tsx'
import classes from './panel.module.css'

const NOWHERE: [] = []

/** A history that failed to load: the map stays, and the panel shows the reason. */
export function HistoryFailure({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stage
      isEmpty
      player={() => null}
      map={(padding) => (
        <MapView points={NOWHERE} padding={padding}>
          <MapTools points={NOWHERE} />
        </MapView>
      )}
      panel={(isSheet) => (
        <div className={classes.panel} data-sheet={isSheet || undefined}>
          <div className={classes.body}>
            <header className={classes.head}>
              <Link to="/" className={classes.back}>
                <IconChevronLeft size={16} aria-hidden="true" />
                <span>{t('trackers.heading')}</span>
              </Link>
              <h1>{t('title.trackerHistory')}</h1>
            </header>
            {children}
          </div>
        </div>
      )}
    />
  )
}

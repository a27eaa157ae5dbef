import { useTranslation } from 'react-i18next'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { startOfDay } from '#web/home/map/today-points.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { Bone } from '#web/ui/feedback/skeleton.tsx'
import classes from './activity.module.css'
import { sparkline } from './sparkline.ts'
import { useLoadedToday } from './use-today.ts'

const WIDTH = 328
const HEIGHT = 46
const HOURS = [0, 6, 12, 18, 24]

export const Activity = ({ device }: { device: Device }) => (
  <Part key={device.id} skeleton={<Bone height={86} />}>
    <Hours id={device.id} />
  </Part>
)

function Hours({ id }: { id: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const day = useLoadedToday(id)
  if (day.movingMs === 0) return <p className={classes.head}>{t('tracker.noMovement')}</p>
  const busiest = day.byHour.indexOf(Math.max(...day.byHour))
  const time = formats.time(new Date(startOfDay(now).getTime() + busiest * HOUR_MS))
  const { line, area } = sparkline(day.byHour.slice(0, now.getHours() + 1), { width: WIDTH, height: HEIGHT, top: 40, places: 24 })
  return (
    <figure className={classes.activity}>
      <figcaption className={classes.head}>
        <span>{t('tracker.activity')}</span>
        <span>{formats.duration(day.movingMs)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('tracker.activityText', { duration: formats.duration(day.movingMs), time })}
      >
        <path d={area} className={classes.area} />
        <path d={line} className={classes.line} vectorEffect="non-scaling-stroke" />
      </svg>
      <div className={classes.axis} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
      </div>
    </figure>
  )
}

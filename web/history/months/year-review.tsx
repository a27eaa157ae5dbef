import { Button } from '@mantine/core'
import { IconDownload, IconShare2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DayTotals } from '#contracts/days.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { daysQuery, yearOf } from '#web/history/track/history.queries.ts'
import { canShareFile, downloadFile, shareFile } from '#web/lib/api/download.ts'
import { config } from '#web/lib/config.ts'
import { regionalTag } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Day, midnight } from '#web/lib/period.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import { KindDisc, kindColour } from '#web/trackers/parts/kind-icon.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { changeBetween, findBestDay, periodsOf, sumDays, sumMonths } from './compare.ts'
import { type PictureText, renderPicture } from './picture.ts'
import { spotName, useWays, WaySketch, wayName } from './ways.tsx'
import classes from './year-review.module.css'

type Props = { device: Device; year: number; today: Day; days: readonly DayTotals[]; history: string }

/** A tracker's year on one page, and as a picture to share. */
export default function YearReview({ device, year, today, days, history }: Props) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const places = usePlaces()
  const { ways, destinations } = useWays(device.id, year, today)
  const change = useChange(device.id, year, today, days)
  const sums = useMemo(() => sumDays(days, '0000-01-01', '9999-12-31'), [days])
  const best = findBestDay(days)
  const months = useMemo(() => sumMonths(days, year), [days, year])
  const most = Math.max(1, ...months.map(({ meters }) => meters))
  const locale = regionalTag(i18n.language, navigator.languages)
  const monthWord = (month: Day, length: 'long' | 'narrow') => new Intl.DateTimeFormat(locale, { month: length }).format(midnight(month))

  const title = t('history.review.heading', { name: device.name, year })
  const total = formats.distance(sums.meters)
  const subtitle =
    change === null || change === 0
      ? null
      : t(change > 0 ? 'history.review.more' : 'history.review.less', { percent: formats.percent(Math.abs(change)) })
  const facts = [
    { label: t('history.review.daysOut'), value: formats.number(days.filter(({ trips }) => trips > 0).length) },
    { label: t('history.months.trips'), value: formats.number(sums.trips) },
    { label: t('history.total.moving'), value: formats.duration(sums.movingMs) },
    { label: t('history.total.topSpeed'), value: formats.speed(days.reduce((top, { top_speed }) => Math.max(top, top_speed), 0)) },
  ]
  const [favourite] = ways
  const visited = destinations.slice(0, 3)
  // Only names that the owner entered: an address must not leave by the picture.
  const ownName = (spot: (typeof destinations)[number] | NonNullable<typeof favourite>['from']) => findContainingPlace(places, spot)?.name
  const favouriteName = favourite && wayName(t, favourite, ownName)
  const visitedNames = visited.flatMap((spot) => ownName(spot) ?? [])
  const picture: PictureText = {
    title,
    total,
    subtitle,
    facts: [...facts.slice(0, 3), ...(best ? [{ label: t('history.months.bestDay'), value: formats.distance(best.meters) }] : [])],
    bars: months.map(({ month, meters }) => ({ label: monthWord(month, 'narrow'), share: meters / most })),
    names: [],
    product: config().productName,
  }
  const names = [
    ...(favouriteName ? [{ label: t('history.review.favourite'), value: favouriteName }] : []),
    ...(visitedNames.length > 0 ? [{ label: t('history.review.visited'), value: visitedNames.join(' · ') }] : []),
  ]
  return (
    <div className={classes.review} style={{ '--k': kindColour(device.kind) } as CSSProperties}>
      <section className={classes.hero} aria-label={title}>
        <KindDisc of={device} size={88} />
        <p className={classes.total}>{total}</p>
        {subtitle && <p>{subtitle}</p>}
      </section>
      <dl className={classes.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {best && (
          <div>
            <dt>{t('history.months.bestDay')}</dt>
            <dd>
              {formats.distance(best.meters)}
              <Link to={`${history}?day=${best.day}`}>{formats.shortDay(midnight(best.day))}</Link>
            </dd>
          </div>
        )}
      </dl>
      <section className={classes.card}>
        <h2>{t('history.review.perMonth')}</h2>
        <ol className={classes.bars}>
          {months.map(({ month, meters }) => (
            <li key={month} title={`${monthWord(month, 'long')}: ${formats.distance(meters)}`}>
              <i
                style={{ '--share': `${(meters / most) * 100}%` } as CSSProperties}
                data-none={meters === 0 || undefined}
                aria-hidden="true"
              />
              <span aria-hidden="true">{monthWord(month, 'narrow')}</span>
              <VisuallyHidden>{`${monthWord(month, 'long')}: ${formats.distance(meters)}`}</VisuallyHidden>
            </li>
          ))}
        </ol>
      </section>
      {favourite && (
        <section className={classes.card}>
          <h2>{t('history.review.favourite')}</h2>
          <div className={classes.favourite}>
            <WaySketch way={favourite} />
            <p>
              <b>{wayName(t, favourite, (spot) => spotName(places, spot)) ?? t('history.ways.unnamed')}</b>
              <span>
                {t('history.ways.times', { count: favourite.trips })} · {formats.distance(favourite.meters)}
              </span>
            </p>
          </div>
        </section>
      )}
      {visited.length > 0 && (
        <section className={classes.card}>
          <h2>{t('history.review.visited')}</h2>
          <ol className={classes.visited}>
            {visited.map((spot) => (
              <li key={`${spot.lat} ${spot.lng}`}>
                <b>{spotName(places, spot) ?? t('history.noAddress')}</b>
                <span>{t('history.review.visits', { count: spot.visits })}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <Picture text={picture} names={names} kind={pickListed(KINDS, device.kind, 'other')} />
    </div>
  )
}

/** The share by which the year exceeds the previous one, up to the same day if it is not over; null while unknown. */
function useChange(id: number, year: number, today: Day, days: readonly DayTotals[]) {
  const before = useQuery(daysQuery(id, year - 1, today)).data
  if (!before) return null
  const { now, before: earlier } = periodsOf('year', year === yearOf(today) ? today : `${year}-12-31`)
  return changeBetween(sumDays(days, now.from, now.to), sumDays(before, earlier.from, earlier.to))
}

type PictureProps = { text: PictureText; names: PictureText['names']; kind: Device['kind'] }

/** Shows the picture as it will be shared. */
function Picture({ text, names, kind }: PictureProps) {
  const { t } = useTranslation()
  const [hasNames, setNames] = useState(false)
  const [made, setMade] = useState<{ file: File; url: string } | null>(null)
  const content = JSON.stringify(hasNames ? { ...text, names } : text)
  useEffect(() => {
    let url: string | null = null
    let isOver = false
    const colour = getComputedStyle(document.documentElement).getPropertyValue(`--kind-${kind}`).trim() || '#475569'
    void renderPicture(JSON.parse(content), colour).then((file) => {
      if (!file || isOver) return
      url = URL.createObjectURL(file)
      setMade({ file, url })
    })
    return () => {
      isOver = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [content, kind])
  if (!made) return null
  const { file, url } = made
  return (
    <section className={classes.picture}>
      <div>
        <h2>{t('history.review.picture')}</h2>
        <p>{t('history.review.pictureLead')}</p>
        {names.length > 0 && (
          <CheckboxField checked={hasNames} onChange={({ target }) => setNames(target.checked)}>
            {t('history.review.names')}
          </CheckboxField>
        )}
        <div className={classes.buttons}>
          {canShareFile(file) && (
            <Button h={44} leftSection={<IconShare2 size={18} />} onClick={() => shareFile(file)}>
              {t('history.review.share')}
            </Button>
          )}
          <Button
            h={44}
            variant={canShareFile(file) ? 'default' : 'filled'}
            leftSection={<IconDownload size={18} />}
            onClick={() => void downloadFile(file)}
          >
            {t('history.review.save')}
          </Button>
        </div>
      </div>
      <img src={url} alt={`${text.title}: ${text.total}`} />
    </section>
  )
}

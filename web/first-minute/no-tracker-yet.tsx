import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from '#web/first-minute/demo/demo.module.css'
import { type Demo, demoEnd, removeDemo, useDemo } from '#web/first-minute/demo/demo-tracker.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { NoTracker } from '#web/trackers/parts/no-tracker.tsx'

/** The list of an account without trackers: the demo dog, or how to begin. */
export default function NoTrackerYet() {
  const shown = useDemo()
  return shown ? <DemoRow demo={shown.demo} /> : <NoTracker />
}

/** The demo dog in the list, striped, so that nobody takes it for a tracker. */
function DemoRow({ demo }: { demo: Demo }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <section className={classes.row} aria-label={t('start.demo.name')}>
      <div>
        <KindDisc of={{ kind: 'dog' }} />
        <span>
          <b>{t('start.demo.name')}</b>
          <small>{t('start.demo.lead', { time: formats.dateTime(demoEnd(demo)) })}</small>
        </span>
      </div>
      <div>
        <Button component={Link} to="/?start=kind" h={44}>
          {t('start.demo.own')}
        </Button>
        <Button variant="default" h={44} onClick={removeDemo}>
          {t('start.demo.remove')}
        </Button>
      </div>
    </section>
  )
}

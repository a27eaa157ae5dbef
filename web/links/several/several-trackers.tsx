import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { MAX_LINK_TRACKERS } from '#contracts/rules/link.ts'
import { MadeLink } from '#web/links/made-link.tsx'
import { NewLinkForm } from '#web/links/new-link-form.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { DialogFoot } from '#web/ui/overlay/dialog.tsx'
import classes from './several-trackers.module.css'

type Props = {
  /** Initially chosen trackers; without any they are chosen before the link is described. */
  first?: readonly number[]
  /** A common name of those. */
  name?: string | undefined
}

/** Chooses trackers and creates one link for all of them. Needs the locale part `trackers`. */
export function SeveralTrackers({ first = [], name }: Props) {
  const { t } = useTranslation()
  const devices = useSuspenseQuery(devicesQuery()).data
  const [chosen, setChosen] = useState(() => first.filter((id) => devices.some((device) => device.id === id)))
  const [isChoosing, setChoosing] = useState(chosen.length === 0)
  const [made, setMade] = useState<PublicLink | null>(null)
  const isSame = chosen.length === first.length && first.every((id) => chosen.includes(id))
  const isTooMany = chosen.length > MAX_LINK_TRACKERS
  if (devices.length === 0) return <p>{t('trackers.none')}</p>
  if (made) return <MadeLink link={made} />
  if (isChoosing || isTooMany)
    return (
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          setChoosing(false)
        }}
      >
        <MultiChoice
          legend={t('trackers.heading')}
          name="devices"
          value={chosen}
          onChange={setChosen}
          options={devices.map(({ id, name: label, tag, ...face }) => ({
            ...{ id, label, hint: tag?.name },
            icon: <KindDisc of={face} size={32} />,
          }))}
          error={isTooMany ? t('publicLinks.atMost', { n: MAX_LINK_TRACKERS }) : undefined}
        />
        <DialogFoot>
          <Button type="submit" h={44} disabled={chosen.length === 0 || isTooMany}>
            {t('publicLinks.next')}
          </Button>
        </DialogFoot>
      </form>
    )
  return (
    <>
      <section className={classes.chosen} aria-label={t('trackers.heading')}>
        <ul>
          {devices
            .filter(({ id }) => chosen.includes(id))
            .map((device) => (
              <li key={device.id}>
                <KindDisc of={device} size={24} />
                {device.name}
              </li>
            ))}
        </ul>
        <Button variant="subtle" h={44} onClick={() => setChoosing(true)}>
          {t('publicLinks.choose')}
        </Button>
        {chosen.length > 1 && <p>{t('publicLinks.fixed')}</p>}
      </section>
      <NewLinkForm devices={chosen} name={isSame ? name : undefined} onMade={setMade} />
    </>
  )
}

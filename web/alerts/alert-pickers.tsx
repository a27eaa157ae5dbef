import { Button } from '@mantine/core'
import { IconArrowRight, IconLogin2, IconLogout2, IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { User } from '#contracts/accounts/users.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TRIGGERS } from '#contracts/rules/geo/place.ts'
import { isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import { PairChoice, RuleChoice } from '#web/alerts/rules/rule-choice.tsx'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { ME, type Slot } from './alert.format.ts'
import classes from './alert.module.css'
import { contactsQuery } from './alerts.queries.ts'
import { type AlertDraft, findOwnContact } from './use-alert-form.ts'

type Props = {
  slot: Slot
  draft: AlertDraft
  me: User
  hasTrackers: boolean
  onAddContact: () => void
  onClose: () => void
}

/** The choices of one part of the sentence: a sheet on phones. It stands outside of the form, so that Enter does not send the form. */
export function AlertPicker({ slot, draft, me, hasTrackers, onAddContact, onClose }: Props) {
  const { t } = useTranslation()
  const titles = { who: t('alerts.who'), event: t('alerts.when'), place: t('alerts.place'), whom: t('alerts.whom') }
  return createPortal(
    <Dialog title={titles[slot]} onClose={onClose}>
      <div className={classes.picker}>
        <Part>
          {slot === 'who' && <TrackerChoice draft={draft} hasTrackers={hasTrackers} />}
          {slot === 'event' && <EventChoice draft={draft} />}
          {slot === 'place' && <PlaceChoice draft={draft} />}
          {slot === 'whom' && <ContactChoice draft={draft} me={me} onAdd={onAddContact} />}
        </Part>
      </div>
      <DialogFoot>
        <Button h={44} onClick={onClose}>
          {t('alerts.pick.done')}
        </Button>
      </DialogFoot>
    </Dialog>,
    document.body,
  )
}

function Hint({ to, link, children }: { to: string; link: string; children: ReactNode }) {
  return (
    <p className={classes.hint}>
      {children}
      <Link to={to} className={classes.link}>
        {link}
        <IconArrowRight size={18} aria-hidden="true" />
      </Link>
    </p>
  )
}

function TrackerChoice({ draft: { offered, content, setDevices }, hasTrackers }: { draft: AlertDraft; hasTrackers: boolean }) {
  const { t } = useTranslation()
  const asksNew = useFeature('trackers') && !hasTrackers
  if (isPairRule(content.rule ?? null)) return <PairChoice offered={offered} value={content.devices} onChange={setDevices} />
  return (
    <MultiChoice
      name="devices"
      legend={t('alerts.who')}
      value={content.devices}
      onChange={setDevices}
      options={offered.map((device) => ({ id: device.id, label: device.name, icon: <KindDisc of={device} size={32} /> }))}
    >
      {offered.length === 0 && (
        <Hint to={asksNew ? '/trackers/add' : '/trackers'} link={asksNew ? t('title.trackerAdd') : t('title.trackers')}>
          {hasTrackers ? t('alerts.noVehicle') : t('trackers.none')}
        </Hint>
      )}
    </MultiChoice>
  )
}

const TRIGGER_ICONS = { enter: IconLogin2, leave: IconLogout2 }

function EventChoice({ draft }: { draft: AlertDraft }) {
  const { content, offered, triggers, asksTrigger, setTrigger, setVehicle, setRule, setSchedule } = draft
  const { t } = useTranslation()
  const hasPlaces = useFeature('places')
  const hasRules = useFeature('alertRules')
  const hasPairs = useFeature('alertPairs') && offered.length > 1
  return (
    <>
      {hasPlaces && asksTrigger && (
        <SegmentedControl
          label={t('alerts.when')}
          value={content.trigger ?? 'enter'}
          onChange={setTrigger}
          options={triggers.map((trigger) => {
            const known = pickListed(TRIGGERS, trigger, null)
            const Icon = known && TRIGGER_ICONS[known]
            return {
              value: trigger,
              label: known ? t(`alerts.${known}`) : `${t('places.types.other')} (${trigger})`,
              icon: Icon && <Icon size={18} />,
            }
          })}
        />
      )}
      {!content.rule && (
        <CheckboxField checked={content.vehicle_alert} onChange={({ target }) => setVehicle(target.checked)} hint={t('alerts.vehicleHint')}>
          {t('alerts.vehicle')}
        </CheckboxField>
      )}
      {hasRules && (
        <RuleChoice rule={content.rule} hasPairs={hasPairs} schedule={content.schedule} onRule={setRule} onSchedule={setSchedule} />
      )}
    </>
  )
}

function PlaceChoice({ draft: { content, setPlace } }: { draft: AlertDraft }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const places = useSuspenseQuery(placesQuery()).data
  return (
    <MultiChoice
      name="place"
      legend={t('alerts.place')}
      isSingle
      value={content.place === null ? [] : [content.place]}
      onChange={([place]) => setPlace(place ?? null)}
      options={places.map(({ id, name, radius, shape }) => ({
        id,
        label: name,
        hint: shape ? t(`places.shape.kinds.${shape.type}`) : formats.distance(radius),
      }))}
    >
      {places.length === 0 && (
        <Hint to="/places/new" link={t('title.placeNew')}>
          {t('alerts.noPlace')}
        </Hint>
      )}
    </MultiChoice>
  )
}

function ContactChoice({ draft: { content, setContacts }, me, onAdd }: { draft: AlertDraft; me: User; onAdd: () => void }) {
  const { t } = useTranslation()
  const contacts = useSuspenseQuery(contactsQuery()).data
  const own = findOwnContact(contacts, me)
  const others = contacts.filter((contact) => contact !== own)
  return (
    <MultiChoice
      name="contacts"
      legend={t('alerts.whom')}
      value={content.contacts.map((id) => (id === own?.id ? ME : id))}
      onChange={setContacts}
      options={[
        ...(me.email ? [{ id: ME, label: t('alerts.meOption', { email: me.email }) }] : []),
        ...others.map(({ id, name: label, email }) => ({ id, label, hint: email })),
      ]}
    >
      {others.length === 0 && <p className={classes.hint}>{t('contacts.none')}</p>}
      <Button variant="default" h={44} leftSection={<IconPlus size={18} />} className={classes.add ?? ''} onClick={onAdd}>
        {t('contacts.add')}
      </Button>
    </MultiChoice>
  )
}

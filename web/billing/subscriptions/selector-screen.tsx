import { Button } from '@mantine/core'
import { IconMapPinSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { PAYMENT_MAX_LINES, type Price } from '#contracts/billing/subscriptions.ts'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useShopData } from '#web/billing/billing.queries.ts'
import {
  type Cart,
  cartPath,
  choosePlan,
  EMPTY_CART,
  listPlans,
  parseRequestedItems,
  selectTracker,
  sumByPeriod,
} from '#web/billing/cart.ts'
import { availableAction, hasCarePlan, toPurchaseAction } from '#web/billing/offer.ts'
import classes from '#web/billing/selector.module.css'
import { buildPlanOptions } from '#web/billing/subscription.format.ts'
import { CurrencyNote, NoPlansNotice, NoTrackerNotice, TaxNote } from '#web/billing/subscription-notices.tsx'
import { useNow, useSteadyNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { createSearch } from '#web/trackers/filters.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { LongRows, type RowAttributes } from '#web/ui/lists/long-rows.tsx'
import { Page } from '#web/ui/page.tsx'
import { type DueFilter, type DueGroup, groupByDue, matchesDue, SOON_DAYS } from './due.ts'
import { SelectorRow } from './selector-row.tsx'
import { SelectorTools } from './selector-tools.tsx'

/** From this many trackers on the list has a search, filters, groups and ticks. */
const FLEET = 9

/** Pixels of a row, as in selector.module.css. */
const ROW_HEIGHT = 64

type Row = { id: number; device: Device } | { id: number; group: DueGroup }

export default function SelectorScreen() {
  const { t } = useTranslation()
  const { offer, devices, held, hasCurrency, otherCurrency } = useShopData()
  const [params] = useSearchParams()
  const now = useNow()
  const day = useSteadyNow()
  const named = params.get('devices')
  const wanted = useMemo(() => parseRequestedItems(named).map(({ device }) => device), [named])
  const isFleet = devices.length >= FLEET || wanted.length > 1
  const heldOf = useMemo(() => new Map(held.map((each) => [each.device, each])), [held])
  const findPlan = (id: string | null | undefined) => offer.plans.find((price) => price.id === id)
  const canBuy = (device: Device) => offer.plans.length > 0 && toPurchaseAction(availableAction(device, now)) !== null
  const [forAll, setForAll] = useState<Price | null>(null)
  /** The plan for all chosen ones, or else the one that the tracker had. */
  const usualPlan = ({ id }: Device) => forAll ?? findPlan(heldOf.get(id)?.price) ?? offer.plans[0]
  const addUpToLimit = (before: Cart, more: readonly Device[]) =>
    more.reduce((cart, device) => {
      const plan = cart.plans[device.id] ? undefined : usualPlan(device)
      return plan && listPlans(cart).length < PAYMENT_MAX_LINES ? choosePlan(cart, device.id, plan) : cart
    }, before)
  const asked = devices.filter(({ id }) => wanted.includes(id))
  const [isSeveral, setSeveral] = useState(wanted.length > 0)
  const [cart, setCart] = useState(() => addUpToLimit(EMPTY_CART, asked.filter(canBuy)))
  const [query, setQuery] = useState('')
  const [filters, setFilters] = useState<DueFilter[]>([])
  const [isOnlyChosen, setOnlyChosen] = useState(wanted.length > 0)
  const hasClaims = useFeature('careClaims')
  const chosen = listPlans(cart)
  const isSold = devices.length > 0 && offer.plans.length > 0
  const choose = (device: number, id: string) => {
    const price = findPlan(id)
    setCart((before) => (price ? choosePlan(before, device, price) : selectTracker(before, device)))
  }
  const tick = (more: readonly Device[], isOn: boolean) =>
    setCart((before) => (isOn ? addUpToLimit(before, more) : more.reduce((cart, { id }) => selectTracker(cart, id), before)))
  const toggleSeveral = () => {
    setSeveral(!isSeveral)
    setCart(EMPTY_CART)
    setOnlyChosen(false)
  }
  const shown = useMemo(() => {
    const matches = createSearch(query)
    const found = devices.filter(
      (device) => (!isOnlyChosen || wanted.includes(device.id)) && matches(device) && matchesDue(device, filters, day),
    )
    return found.toSorted(compareDevices)
  }, [devices, query, filters, day, isOnlyChosen, wanted])
  const rows: Row[] = isFleet
    ? groupByDue(shown, day).flatMap((group, index) => [
        { id: -1 - index, group },
        ...group.devices.map((device) => ({ id: device.id, device })),
      ])
    : shown.map((device) => ({ id: device.id, device }))
  const buyable = shown.filter(canBuy)
  const skipped = asked.filter((device) => !canBuy(device))
  const canBuySeveral = isSold && devices.filter(canBuy).length > 1
  const drawRow = (device: Device, attributes: RowAttributes) => (
    <SelectorRow
      device={device}
      held={heldOf.get(device.id)}
      plans={offer.plans}
      hasCare={hasClaims && hasCarePlan(offer, heldOf.get(device.id))}
      isSeveral={isSeveral}
      plan={cart.plans[device.id] ?? null}
      onPlan={(id) => choose(device.id, id)}
      onTick={isFleet ? (isOn) => tick([device], isOn) : undefined}
      attributes={attributes}
    />
  )
  return (
    <Page
      isInAccount
      title={t('nav.plans')}
      lead={isSold && isSeveral && t('subscriptions.lead')}
      actions={
        devices.length > 0 && (
          <>
            {canBuySeveral && (
              <Button variant={isSeveral ? 'filled' : 'default'} h={44} aria-pressed={isSeveral} onClick={toggleSeveral}>
                {t('subscriptions.chooseSeveral')}
              </Button>
            )}
            <Button component={Link} to="/link_subscription" variant="default" h={44}>
              {t('title.linkSubscription')}
            </Button>
          </>
        )
      }
    >
      {devices.length === 0 && <NoTrackerNotice />}
      {isSold && <CurrencyNote currency={otherCurrency} />}
      {devices.length > 0 && !isSold && <NoPlansNotice hasCurrency={hasCurrency} />}
      {isFleet && !isOnlyChosen && (
        <SelectorTools devices={devices} query={query} onQuery={setQuery} filters={filters} onFilters={setFilters} />
      )}
      {isOnlyChosen && (
        <p className={classes.note} role="status">
          <span>
            {t('subscriptions.several.only')}
            {skipped.length > 0 && ` ${t('subscriptions.several.skipped', { names: skipped.map(({ name }) => name).join(', ') })}`}
          </span>
          <Button variant="default" h={44} onClick={() => setOnlyChosen(false)}>
            {t('trackers.reset')}
          </Button>
        </p>
      )}
      {isFleet && isSeveral && isSold && (
        <AllTools
          plans={offer.plans}
          plan={forAll}
          onPlan={(plan) => {
            setForAll(plan)
            if (plan) setCart((before) => chosen.reduce((cart, { device }) => choosePlan(cart, device, plan), before))
          }}
          isAll={buyable.length > 0 && buyable.every(({ id }) => cart.plans[id])}
          onAll={(isOn) => tick(buyable, isOn)}
          isFull={chosen.length >= PAYMENT_MAX_LINES}
        />
      )}
      <ul className={classes.rows} aria-label={t('trackers.list')} data-fleet={isFleet || undefined}>
        <LongRows items={rows} as="li" rowHeight={ROW_HEIGHT}>
          {(row, attributes) =>
            'device' in row ? drawRow(row.device, attributes) : <GroupHead group={row.group} attributes={attributes} />
          }
        </LongRows>
      </ul>
      {devices.length > 0 && shown.length === 0 && (
        <Empty icon={<IconMapPinSearch size={30} />} title={t('trackers.noMatch')}>
          {t('trackers.noMatchLead')}
        </Empty>
      )}
      {chosen.length > 0 && <TotalBar cart={cart} />}
    </Page>
  )
}

function GroupHead({ group: { head, month, devices }, attributes }: { group: DueGroup; attributes: RowAttributes }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const words = head ? t(`subscriptions.due.${head}`, { days: formats.number(SOON_DAYS) }) : formats.month(`${month}-15T12:00:00Z`)
  return (
    <li {...attributes} className={classes.group}>
      <h2>
        {words} <span>{formats.number(devices.length)}</span>
      </h2>
    </li>
  )
}

type AllToolsProps = {
  plans: readonly Price[]
  plan: Price | null
  onPlan: (plan: Price | null) => void
  isAll: boolean
  onAll: (isOn: boolean) => void
  isFull: boolean
}

/** Ticks all shown trackers, and chooses one plan for all that are ticked. */
function AllTools({ plans, plan, onPlan, isAll, onAll, isFull }: AllToolsProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <div className={classes.all}>
      <label className={classes.allTick}>
        <input type="checkbox" checked={isAll} onChange={({ target }) => onAll(target.checked)} />
        {t('subscriptions.several.all')}
      </label>
      <SelectField
        aria-label={t('subscriptions.several.planForAll')}
        value={plan?.id ?? ''}
        onChange={({ currentTarget: { value } }) => onPlan(plans.find(({ id }) => id === value) ?? null)}
        data={[{ value: '', label: t('subscriptions.several.samePlan') }, ...buildPlanOptions(t, formats, plans)]}
      />
      {isFull && <p role="status">{t('subscriptions.several.limit', { number: formats.number(PAYMENT_MAX_LINES) })}</p>}
    </div>
  )
}

function TotalBar({ cart }: { cart: Cart }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const chosen = listPlans(cart)
  return (
    <section className={classes.bar} aria-label={t('subscriptions.summary')}>
      <p aria-live="polite">
        <span>{t('subscriptions.several.chosen', { number: formats.number(chosen.length) })}</span>
        {t('subscriptions.total')}
        {sumByPeriod(chosen.map(({ price }) => price)).map(({ recurring, amount, currency }) => (
          <span key={`${currency} ${recurring?.interval_count} ${recurring?.interval}`}>
            <strong>{formats.price(amount, currency)}</strong> <small>{periodWords(t, recurring)}</small>
          </span>
        ))}
        <TaxNote prices={chosen.map(({ price }) => price)} />
      </p>
      <Button component={Link} to={cartPath(cart)} h={44}>
        {t('subscriptions.continue')}
      </Button>
    </section>
  )
}

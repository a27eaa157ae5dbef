import { describe, expect, test } from 'vitest'
import { openCard } from '#web/test/card.tsx'

type Row = [id: number, name: string, state: RegExp, facts: Record<string, string>]

/** One row per state that a tracker can be in. */
const ROWS: Row[] = [
  [
    1,
    'R-1.6 Rex, a moving dog collar',
    /^Moving · /,
    {
      Battery: '85%',
      Updates: 'every 30 seconds',
      'Renews on': 'Sep 18, 2026',
      Model: 'Dog collar',
      Kind: 'Dog',
      Mode: 'Standard (animal)',
    },
  ],
  [
    2,
    'R-4.7 Misty, stationary for 8 minutes',
    /^Stationary for 8 minutes · /,
    { Battery: '40%', Updates: 'every 5 to 7 minutes', 'Active until': 'Mar 14, 2026', Model: 'GPS tracker', Mode: 'High (animal)' },
  ],
  [
    3,
    'R-1.2 R-4.7 City bike, stationary for 100 minutes',
    /^Stationary for 100 minutes · /,
    { Battery: '62%', Updates: 'every 10 to 15 minutes', 'Active until': 'May 31, 2026', Mode: 'Standard + vehicle alert', Kind: 'Bike' },
  ],
  [
    4,
    'R-4.8 R-3.25 Family car, stationary for 101 minutes, battery in millivolts',
    /^Stationary for 2 hours · /,
    { Battery: '3650 mV', Updates: 'every 5 to 7 minutes', 'Renews on': 'Dec 27, 2026', Mode: 'High + vehicle alert', Kind: 'Vehicle' },
  ],
  [
    5,
    'R-4.12 Cessna, in plane mode',
    /^Plane mode · /,
    { Battery: '77%', Updates: 'no updates', 'Active until': 'Apr 16, 2026', Mode: 'Plane mode', Kind: 'Plane' },
  ],
  [
    6,
    'R-3.27 R-4.6 Grandpa, stationary for 7 minutes, battery unknown',
    /^Moving · /,
    { Battery: '?', Subscription: 'No end date', Kind: 'Person', Mode: 'Standard' },
  ],
  [7, 'R-3.21 New tracker, not activated and without any message', /^Not activated$/, { Battery: '100%', Subscription: 'Not activated' }],
  [8, 'R-3.21 Spare tracker, not activated', /^Not activated · 6 days ago/, { Battery: '100%', Subscription: 'Not activated' }],
  [9, 'R-4.9 Old tracker, silent for 120 days', /^Network deactivated · /, { Battery: '3%', 'Ended on': 'Jan 31, 2026' }],
  [
    10,
    'R-3.20 R-4.16 Cold box, configurable',
    /^Stationary for 35 minutes · /,
    {
      Model: 'Configurable low-power tracker',
      Mode: 'Configurable mode',
      Updates: 'every hour',
      'When stationary': 'every 24 hours',
      Subscription: '2 years + 1 month free',
    },
  ],
  [
    11,
    'R-4.13 Stolen scooter, lost',
    /^Lost mode · /,
    { Battery: '3410 mV', Updates: 'every 3 minutes', 'Active until': 'Jul 30, 2026', Tag: 'Stolen' },
  ],
  [
    12,
    'R-4.13 Runaway cat, lost',
    /^Lost mode · /,
    { Battery: '55%', Updates: 'every 3 minutes', 'Active until': 'May 1, 2026', Kind: 'Cat' },
  ],
  [
    13,
    'R-4.3 Delivery van, with settings being sent',
    /^Settings sending · /,
    { Battery: '70%', Updates: 'every 2 minutes', Mode: 'Intense + vehicle alert', 'Active until': 'May 21, 2026' },
  ],
  [14, 'Company van, of a pro account', /^Moving · /, { Battery: '3900 mV', Updates: 'every 2 minutes', 'Active until': 'Mar 22, 2026' }],
  [
    15,
    'R-3.1 Kitchen, without subscription',
    /^Stationary for 216 hours · /,
    { Model: 'Triby', Kind: 'Other', Subscription: 'No subscription' },
  ],
  [
    16,
    'R-3.20 Hiker, long range',
    /^Stationary for 50 minutes · /,
    { Model: 'Long-range tracker', Updates: 'every 2 minutes', Mode: 'Intense' },
  ],
  [
    17,
    'R-9.20 Trailer, with a discontinued three-year plan',
    /^Stationary for 72 hours · /,
    { Battery: '3300 mV', Operator: 'Helium', Subscription: '3 years' },
  ],
  [18, 'R-4.18 Puppy, subscription ended yesterday, silent since', /^No signal · yesterday/, { Battery: '30%', 'Ended on': 'Mar 1, 2026' }],
]

test.each(ROWS)('tracker %i: %s', async (id, _, state, facts) => {
  await using page = await openCard(id)
  expect(page.state()).toMatch(state)
  expect(page.facts()).toMatchObject(facts)
})

describe('missing facts', () => {
  test('R-3.14 only a collar shows since when it is active', async () => {
    await using rex = await openCard(1)
    expect(rex.facts()).toMatchObject({ 'Active collar since': 'Jan 21, 2026', 'Online since': expect.stringMatching(/20\d\d$/) })
    expect(rex.facts()).toMatchObject({ 'When stationary': 'every 4 hours', Operator: 'LoRa', Tag: 'Pets', Identifier: '10000000-01' })
  })

  test('R-3.14 R-3.4 a tracker without collar, tag or plan has no rows for them', async () => {
    await using page = await openCard(6)
    const names = Object.keys(page.facts())
    expect(names).not.toContain('Active collar since')
    expect(names).not.toContain('Tag')
    expect(names.filter((name) => name === 'Subscription')).toHaveLength(1)
  })

  test('R-3.6 R-3.7 a tracker without a position shows no accuracy and cannot be followed', async () => {
    await using page = await openCard(7)
    expect(page.state()).not.toContain('±')
    expect(page.card.getByRole('button', { name: 'Follow on the map' })).toBeDisabled()
    expect(page.facts()['Last event']).toBeUndefined()
  })

  test('R-3.8 the last event shows its name and time', async () => {
    await using page = await openCard(18)
    expect(page.facts()['Last event']).toMatch(/^Low battery · Mar 1, 2026, /)
  })
})

describe('head of the card', () => {
  test('R-3.7 the card shows the address and its accuracy', async () => {
    await using page = await openCard(2)
    expect(page.state()).toMatch(/ · .+ago · ±\d+ m$/)
    expect(page.element.querySelector('header + p')?.textContent).toMatch(/\w+/)
  })

  test('R-4.3 the card names the mode that will apply at the next communication', async () => {
    await using page = await openCard(13)
    expect(page.card.getByText('Lost mode will apply at the next communication.')).toHaveAttribute('role', 'status')
  })

  test('following is a toggle, and only one tracker is followed at a time', async () => {
    await using page = await openCard(1)
    const follow = () => page.card.getByRole('button', { name: 'Follow on the map' })
    expect(follow()).toHaveAttribute('aria-pressed', 'false')
    await page.user.click(follow())
    expect(follow()).toHaveAttribute('aria-pressed', 'true')
    await page.user.click(follow())
    expect(follow()).toHaveAttribute('aria-pressed', 'false')
  })
})

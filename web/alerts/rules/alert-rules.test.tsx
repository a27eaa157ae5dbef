import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { saveUnits } from '#web/lib/i18n/format.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const { rex, misty, familyCar } = SEED.devices

const open = async (path = '/alerts/new') => {
  const page = await openAs(ALICE, path, { features: [...FEATURES] })
  const { user, portal } = page
  await screen.findByRole('button', { name: /^(Create alert|Save)$/ })
  /** Opens the choices of a part of the sentence for `act`, and closes them. */
  const choose = async (part: RegExp, act: (dialog: ReturnType<typeof within>) => unknown) => {
    await user.click(await screen.findByRole('button', { name: part }))
    await act(within(await screen.findByRole('dialog')))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  return {
    ...page,
    choose,
    tracker: (name: string) => choose(/^Which trackers/, async (dialog) => user.click(await dialog.findByRole('checkbox', { name }))),
    event: (kind: string, act: (dialog: ReturnType<typeof within>) => unknown = () => undefined) =>
      choose(/^What happens/, async (dialog) => {
        await user.selectOptions(dialog.getByLabelText('Something else'), kind)
        await act(dialog)
      }),
    sentence: () => document.querySelector('span[role="status"]')?.textContent,
    save: async () => {
      await user.click(screen.getByRole('button', { name: /^(Create alert|Save)$/ }))
      await screen.findByText('Saved')
    },
    kept: async () => (await portal.call(ALICE, 'GET', '/tracker_alerts/')).body as { id: number; rule?: unknown }[],
  }
}

describe('an alert with a rule', () => {
  test('of silence needs nothing but trackers', async () => {
    await using page = await open()
    await page.tracker('Rex')
    await page.event('Gone silent')
    expect(page.sentence()).toBe('When Rex is silent for longer than expected, tell me.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({ devices: [rex], place: null, trigger: null, rule: { kind: 'silent' } })
  })

  test('about an arrival asks for the place, the time and the days', async () => {
    await using page = await open()
    await page.tracker('Rex')
    await page.event('Not arrived', async (dialog) => {
      fireEvent.change(dialog.getByLabelText('Time of day'), { target: { value: '09:15' } })
      for (const day of ['Saturday', 'Sunday']) await page.user.click(dialog.getByRole('checkbox', { name: day }))
    })
    await page.choose(/^Which place/, async (dialog) => page.user.click(await dialog.findByRole('radio', { name: /^Cabin/ })))
    expect(page.sentence()).toBe('When at 9:15 AM Rex is not at Cabin, tell me. Only Mon, Tue, Wed, Thu, Fri.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({
      place: SEED.places.cabin,
      trigger: null,
      rule: { kind: 'not_arrived', by: '09:15' },
      schedule: { days: [1, 2, 3, 4, 5] },
    })
  })

  test('of speed takes only numbers within its limits', async () => {
    await using page = await open()
    await page.tracker('Family car')
    await page.event('Too fast', async (dialog) => {
      const over = dialog.getByLabelText('Faster than, in km/h')
      await page.user.clear(over)
      await page.user.type(over, '900')
      expect(dialog.getByText('5–400')).toBeVisible()
      await page.user.clear(over)
      await page.user.type(over, '90')
      expect(dialog.queryByText('5–400')).toBeNull()
    })
    expect(page.sentence()).toBe('When Family car is faster than 90 km/h for 30 sec, tell me.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({ devices: [familyCar], rule: { kind: 'speed', over: 90, seconds: 30 } })
  })

  test('of speed asks for miles per hour where the sentence shows them', async () => {
    saveUnits('miles')
    onTestFinished(() => saveUnits('auto'))
    await using page = await open()
    await page.tracker('Family car')
    await page.event('Too fast', async (dialog) => {
      const over = dialog.getByLabelText('Faster than, in mph')
      await page.user.clear(over)
      await page.user.type(over, '60')
    })
    expect(page.sentence()).toBe('When Family car is faster than 60 mph for 30 sec, tell me.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({ rule: { kind: 'speed', over: 97, seconds: 30 } })
  })

  test('becomes one about a border, and its rule and days are gone', async () => {
    await using page = await open()
    await page.tracker('Rex')
    await page.event('Moved while parked', (dialog) => page.user.click(dialog.getByRole('checkbox', { name: 'Sunday' })))
    await page.save()
    const { id } = (await page.kept()).at(-1)!
    await page.user.click(await screen.findByRole('link', { name: /moves while parked/ }))
    await screen.findByRole('button', { name: 'Save' })
    await page.event('A place or a vehicle')
    await page.choose(/^Which place/, async (dialog) => page.user.click(await dialog.findByRole('radio', { name: /^Cabin/ })))
    await page.save()
    expect((await page.kept()).find((alert) => alert.id === id)).toMatchObject({ place: SEED.places.cabin, trigger: 'enter' })
    expect((await page.kept()).find((alert) => alert.id === id)).not.toHaveProperty('rule')
  })
})

describe('an alert about two trackers', () => {
  test('asks for both and for the distance', async () => {
    await using page = await open()
    await page.tracker('Rex')
    await page.event('Two trackers apart', async (dialog) => {
      const meters = dialog.getByLabelText('Distance, in m')
      await page.user.clear(meters)
      await page.user.type(meters, '20')
      expect(dialog.getByText('50–100000')).toBeVisible()
      await page.user.clear(meters)
      await page.user.type(meters, '1500')
    })
    expect(page.sentence()).toBe('When Rex and … are further than 1.5 km apart, tell me.')
    await page.user.click(screen.getByRole('button', { name: 'Create alert' }))
    expect(await screen.findByText('Choose two trackers')).toBeVisible()
    await page.choose(/^Which trackers/, async (dialog) => {
      expect(dialog.getByLabelText('First tracker')).toHaveDisplayValue('Rex')
      await page.user.selectOptions(dialog.getByLabelText('Second tracker'), 'Misty')
      expect(within(dialog.getByLabelText('First tracker')).queryByRole('option', { name: 'Misty' })).toBeNull()
    })
    expect(page.sentence()).toBe('When Rex and Misty are further than 1.5 km apart, tell me.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({ devices: [rex, misty], place: null, rule: { kind: 'apart', meters: 1500 } })
  })

  test('asks for feet where the sentence shows feet, and stores metres', async () => {
    saveUnits('miles')
    onTestFinished(() => saveUnits('auto'))
    await using page = await open()
    for (const name of ['Rex', 'Misty']) await page.tracker(name)
    await page.event('Two trackers apart', async (dialog) => {
      const feet = dialog.getByLabelText('Distance, in ft')
      expect(feet).toHaveValue('1640')
      await page.user.clear(feet)
      await page.user.type(feet, '160')
      expect(dialog.getByText('165–328083')).toBeVisible()
      await page.user.clear(feet)
      await page.user.type(feet, '1000')
    })
    expect(page.sentence()).toBe('When Rex and Misty are further than 1,000 ft apart, tell me.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({ rule: { kind: 'apart', meters: 305 } })
    await page.user.click(await screen.findByRole('link', { name: /further than 1,000 ft apart/ }))
    await screen.findByRole('button', { name: 'Save' })
    await page.event('Two trackers apart', (dialog) => expect(dialog.getByLabelText('Distance, in ft')).toHaveValue('1000'))
  })

  test('keeps two of the trackers that were chosen before', async () => {
    await using page = await open()
    for (const name of ['Rex', 'Misty', 'Family car']) await page.tracker(name)
    await page.event('Two trackers together')
    expect(page.sentence()).toBe('When Rex and Misty come within 200 m of each other, tell me.')
    await page.save()
    expect((await page.kept()).at(-1)).toMatchObject({ devices: [rex, misty], rule: { kind: 'together', meters: 200 } })
  })

  test('is not offered by a backend that knows only the other rules', async () => {
    await using page = await openAs(ALICE, '/alerts/new', { features: FEATURES.filter((name) => name !== 'alertPairs') })
    await page.user.click(await screen.findByRole('button', { name: /^What happens/ }))
    const choice = within(await screen.findByRole('dialog')).getByLabelText('Something else')
    expect(within(choice).getByRole('option', { name: 'Not left' })).toBeInTheDocument()
    expect(within(choice).queryByRole('option', { name: /^Two trackers/ })).toBeNull()
  })
})

test('a backend without rules of alerts offers none', async () => {
  await using page = await openAs(ALICE, '/alerts/new')
  await page.user.click(await screen.findByRole('button', { name: /^What happens/ }))
  expect(within(await screen.findByRole('dialog')).queryByLabelText('Something else')).toBeNull()
})

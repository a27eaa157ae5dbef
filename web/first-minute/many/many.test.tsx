import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { openAs } from '#web/test/open-as.tsx'
import { readNumbers } from './read-numbers.ts'

test('a list of pasted numbers is read with names and kinds in any order, below a line of titles', () => {
  const text = 'number;name;kind\n90000000-01;Van 1;vehicle\nfactory-000 07;dog;Rex\n'
  expect(readNumbers(text, [])).toMatchObject([
    { identifier: '9000000001', name: 'Van 1', kind: 'vehicle', state: 'new' },
    { serial: 'FACTORY00007', name: 'Rex', kind: 'dog', state: 'new' },
  ])
})

test('the preview says which numbers are new, already owned, listed twice, or no numbers', () => {
  const owned = [{ identifier: '1000000001', serial: 'ALICE0000001' }]
  const states = readNumbers('9000000001\n9000000001\nALICE0000001\n123\n', owned).map(({ state }) => state)
  expect(states).toEqual(['new', 'twice', 'yours', 'invalid'])
})

test('many trackers are added one by one, with a result for each line', async () => {
  await using page = await openAs('dario@example.com', '/?start=many', { features: [...FEATURES] })
  await page.user.click(await screen.findByRole('textbox', { name: 'Numbers' }))
  await page.user.paste('9000000001;Van 1\n8000000001;Van 2\n9000000002;Van 3')
  expect(screen.getAllByRole('cell', { name: 'New' })).toHaveLength(3)
  await page.user.click(screen.getByRole('button', { name: 'Add 3 trackers' }))
  expect(await screen.findByText('2 of 3 added')).toBeVisible()
  expect(screen.getByRole('cell', { name: 'On another account' })).toBeVisible()
  const { body } = await page.portal.call('dario@example.com', 'GET', '/devices/?type=tracker')
  expect(body.map(({ name, kind }: { name: string; kind: string }) => [name, kind]).sort()).toEqual([
    ['Van 1', 'vehicle'],
    ['Van 3', 'vehicle'],
  ])
  await page.user.click(await screen.findByRole('link', { name: 'Show the map' }))
  expect(await screen.findByRole('region', { name: 'List of trackers' })).toBeVisible()
})
